/** A LIKE pattern for values that contain the text, with wildcards in the text escaped. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
