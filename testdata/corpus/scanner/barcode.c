#include "barcode.h"

#include <string.h>

unsigned ean13_check_digit(const struct ean13 *code)
{
	unsigned sum = 0;

	for (size_t i = 0; i < EAN13_DIGITS - 1; i++)
		sum += code->digit[i] * (i % 2 == 0 ? 1u : 3u);
	return (10 - sum % 10) % 10;
}

static bool is_separator(char c)
{
	return c == ' ' || c == '-';
}

enum barcode_error ean13_parse(const char *text, size_t length, struct ean13 *out)
{
	struct ean13 code;
	size_t found = 0;

	for (size_t i = 0; i < length && found < EAN13_DIGITS; i++) {
		if (is_separator(text[i]))
			continue;
		if (text[i] < '0' || text[i] > '9')
			return BARCODE_BAD_DIGIT;
		code.digit[found++] = (unsigned char)(text[i] - '0');
	}
	if (found < EAN13_DIGITS)
		return BARCODE_TOO_SHORT;
	if (ean13_check_digit(&code) != code.digit[EAN13_DIGITS - 1])
		return BARCODE_BAD_CHECKSUM;
	memcpy(out, &code, sizeof code);
	return BARCODE_OK;
}

static const char *const messages[] = {
	[BARCODE_OK] = "no error",
	[BARCODE_TOO_SHORT] = "fewer than thirteen digits",
	[BARCODE_BAD_DIGIT] = "something that is no digit",
	[BARCODE_BAD_CHECKSUM] = "the check digit does not fit",
};

const char *barcode_strerror(enum barcode_error error)
{
	return messages[error];
}
