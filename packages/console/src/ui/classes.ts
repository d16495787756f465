/** Joins class names and leaves out what is false or absent. */
export const classes = (...parts: (string | false | null | undefined)[]) => parts.filter(Boolean).join(' ')
