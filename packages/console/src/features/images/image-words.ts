/** What remains when an image is deleted. */
export const whatDisksKeep = 'Disks created from it are not affected.'
