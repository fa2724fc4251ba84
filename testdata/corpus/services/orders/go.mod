module millpond.example/orders

go 1.24
