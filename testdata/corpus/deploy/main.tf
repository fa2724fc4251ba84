terraform {
  required_version = ">= 1.6"
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "machines" {
  type        = number
  description = "How many machines serve orders"
  default     = 3
}

resource "aws_instance" "orders" {
  count         = var.machines
  ami           = data.aws_ami.debian.id
  instance_type = "t4g.small"

  tags = {
    Name = "orders-${count.index}"
    Role = "orders"
  }
}

data "aws_ami" "debian" {
  most_recent = true
  owners      = ["136693071363"]

  filter {
    name   = "name"
    values = ["debian-12-arm64-*"]
  }
}

output "addresses" {
  value = aws_instance.orders[*].private_ip
}
