/** Rows of one request. */
export const detailedRows = 100
/** Disks of an image that are counted. */
export const countedUses = 1000
