/** The LIKE pattern of every name that holds the text, which means itself even where it looks like a pattern. */
export const containing = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
