/** Rows of a card of uses: a page has several such cards. */
export const usesPageSize = 10
