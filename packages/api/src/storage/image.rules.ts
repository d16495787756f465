/** Maximum length of the name of an operating system or of its version, in characters. */
export const imageTextMax = 128
