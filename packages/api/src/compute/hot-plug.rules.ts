/** Why a disk is neither attached nor detached while its instance runs, where the fleet could do that. */
export const hotPlugCannot = {
  sata: 'Guests with SATA disks find and lose none while they run',
  boot: 'The instance runs from this disk',
  earlier: 'The instance was started before this installation could exchange disks of running instances',
  fixed: 'The guest has this disk in a place of which nothing is removed while it runs',
} as const

/** How long a guest may take to release a disk before it keeps it. */
export const releaseSeconds = 60
