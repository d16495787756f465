/** How far a deletion that the person asked for has come. */
export type Deletion = 'sent' | 'refused' | 'done'

/** Deletes the object of a page, and tells the page how far that has come. */
export async function reportDeletion(
  run: () => Promise<unknown>,
  onDelete: ((is: Deletion) => void) | undefined,
): Promise<void> {
  onDelete?.('sent')
  try {
    await run()
  } catch (error) {
    onDelete?.('refused')
    throw error
  }
  onDelete?.('done')
}
