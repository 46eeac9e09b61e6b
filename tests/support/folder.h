/* folder.h - a temporary folder for tests that need files; removed at the end. */
#pragma once

#include <stddef.h>

/* Where it is; valid from folder_make on. */
extern char folder_path[64];

/* A group's setup and teardown. */
int folder_make(void **state);
int folder_remove(void **state);

/* FOLDER/name; eight of them are valid at a time. */
const char *in_folder(const char *name);

/* Writes n bytes to a file of that name; its path, as in_folder gives it. */
const char *folder_file(const char *name, const char *bytes, size_t n);

/* The same with a text. */
const char *folder_text(const char *name, const char *text);

/* How many entries the folder has. */
int folder_entries(void);
