/** What deleting an image leaves unchanged. */
export const whatDisksKeep = 'Disks created from it are not affected.'
