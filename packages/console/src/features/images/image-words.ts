/** What deleting an image leaves unchanged. */
export const imageDeletionNote = 'Disks created from it are not affected.'
