/* What all parts of the reading of a call use: see the header. */
#include "proxy/decoding.h"

void fth_decoding_leave_out(struct fth_decoding *decoding, const char *why)
{
    if (!decoding->reading->why_not)
        decoding->reading->why_not = why;
}

void fth_decoding_number(struct fth_decoding *decoding, size_t field, int64_t number)
{
    struct fth_form_reading *reading = decoding->reading;
    struct fth_argument *argument = fth_decoding_argument(decoding, field);
    if (reading->number_count == FTH_FORM_NUMBERS) {
        fth_decoding_leave_out(decoding, "it has too many numbers");
        return;
    }
    if (!argument->count++)
        argument->first = reading->number_count;
    reading->fields[reading->number_count] = (uint8_t)field;
    reading->widths[reading->number_count] = 0;
    reading->names[reading->number_count] = NULL;
    reading->numbers[reading->number_count++] = number;
}
