/** Progress of a deletion that the user requested. */
export type Deletion = 'sent' | 'refused' | 'done'

/** Deletes a page's object and reports the progress to the page. */
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
