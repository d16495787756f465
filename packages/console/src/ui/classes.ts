/** Joins class names, skipping false and absent ones. */
export const classes = (...parts: (string | false | null | undefined)[]) => parts.filter(Boolean).join(' ')
