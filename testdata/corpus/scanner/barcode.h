#ifndef MILLPOND_BARCODE_H
#define MILLPOND_BARCODE_H

#include <stdbool.h>
#include <stddef.h>

#define EAN13_DIGITS 13

enum barcode_error {
	BARCODE_OK = 0,
	BARCODE_TOO_SHORT,
	BARCODE_BAD_DIGIT,
	BARCODE_BAD_CHECKSUM,
};

struct ean13 {
	unsigned char digit[EAN13_DIGITS];
};

/* Reads the thirteen digits of an article number; blanks and dashes between
 * them are skipped. On an error *out is left as it was. */
enum barcode_error ean13_parse(const char *text, size_t length, struct ean13 *out);

/* The check digit that belongs to the first twelve digits. */
unsigned ean13_check_digit(const struct ean13 *code);

const char *barcode_strerror(enum barcode_error error);

#endif
