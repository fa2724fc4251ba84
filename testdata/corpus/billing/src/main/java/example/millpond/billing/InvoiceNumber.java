package example.millpond.billing;

/** A number such as 2024-000123. The numbers of a year have no gaps. */
public record InvoiceNumber(int year, int sequence) implements Comparable<InvoiceNumber> {

    public static InvoiceNumber parse(String text) {
        int dash = text.indexOf('-');
        if (dash != 4) {
            throw new IllegalArgumentException("not an invoice number: " + text);
        }
        return new InvoiceNumber(
                Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
    }

    /** The number that follows on the given year's last one. */
    public InvoiceNumber next(int inYear) {
        return inYear == year ? new InvoiceNumber(year, sequence + 1) : new InvoiceNumber(inYear, 1);
    }

    @Override
    public int compareTo(InvoiceNumber other) {
        return year != other.year ? Integer.compare(year, other.year) : Integer.compare(sequence, other.sequence);
    }

    @Override
    public String toString() {
        return String.format("%d-%06d", year, sequence);
    }
}
