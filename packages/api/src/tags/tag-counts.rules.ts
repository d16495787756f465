// Numbers that pages need without the rules of keys and values, which come with forms.

/** Objects that a count of tags reaches at most: what it costs does not grow with their number. */
export const mostCounted = 1000

/** Objects whose tags one request reads. */
export const mostRead = 100
