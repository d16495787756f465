/** Lower-case letters and digits, in words joined by single underscores. */
export const identifier = /[a-z][a-z0-9]*(?:_[a-z0-9]+)*/y
