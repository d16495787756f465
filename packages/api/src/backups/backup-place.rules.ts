/** What a user does where no target was added. */
export const noBackupTarget = 'Ask the operator to add a backup target.'
