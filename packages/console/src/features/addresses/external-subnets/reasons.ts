/** Why one that is attached cannot be deleted. */
export const attachedReason = 'The external subnet must be detached before it can be deleted'
