/* Reads bar codes from the serial line and prints one article number a line. */

#include <stdio.h>
#include <stdlib.h>

#include "barcode.h"
#include "ring_buffer.h"

enum { LINE_MAX_BYTES = 64 };

struct line_reader {
	char text[LINE_MAX_BYTES];
	size_t length;
	bool overlong;
};

/* Adds a byte; true when a line is complete. */
static bool line_add(struct line_reader *line, unsigned char byte)
{
	if (byte == '\r' || byte == '\n')
		return line->length > 0;
	if (line->length == LINE_MAX_BYTES)
		line->overlong = true;
	else
		line->text[line->length++] = (char)byte;
	return false;
}

static void line_finish(struct line_reader *line)
{
	struct ean13 code;
	enum barcode_error error = BARCODE_BAD_DIGIT;

	if (!line->overlong)
		error = ean13_parse(line->text, line->length, &code);
	if (error != BARCODE_OK) {
		fprintf(stderr, "scan: %s\n", barcode_strerror(error));
	} else {
		for (size_t i = 0; i < EAN13_DIGITS; i++)
			putchar('0' + code.digit[i]);
		putchar('\n');
	}
	line->length = 0;
	line->overlong = false;
}

int main(void)
{
	ring_buffer_t ring;
	struct line_reader line = {0};
	unsigned char bytes[32];
	size_t taken;
	int c;

	ring_init(&ring);
	while ((c = getchar()) != EOF) {
		ring_push(&ring, (unsigned char)c);
		while ((taken = ring_pop(&ring, bytes, sizeof bytes)) > 0)
			for (size_t i = 0; i < taken; i++)
				if (line_add(&line, bytes[i]))
					line_finish(&line);
	}
	return EXIT_SUCCESS;
}
