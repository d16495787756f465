/** Text of a LIKE pattern, whose wildcards it has none of. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A LIKE pattern for values that contain the text, with wildcards in the text escaped. */
export const containing = (text: string): string => `%${literally(text.toLowerCase())}%`
