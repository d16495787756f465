/** What remains when an image is deleted. */
export const whatDisksKeep = 'Disks that were made from it are not affected.'
