/* view_rows.h - how a view's list of members becomes its struct and its numbers.
 *
 * A view is what a profile depends on; two are the same where all their numbers are.  A list has
 * rows F(type, member), and P(type, path) for a part of a member that is a struct itself.  The
 * order of the rows is that of the numbers in a profile's key: new rows come last. */
#pragma once

#define VIEW_MEMBER(type, name) type name;
#define VIEW_COUNT(...) +1
#define VIEW_NUMBER(type, path) (uint32_t) v->path,
#define VIEW_REAL(type, path) (double)v->path,
#define VIEW_PASS(...)
