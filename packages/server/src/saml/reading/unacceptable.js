/** A problem with a document, in a sentence for its sender; any other error is a bug. */
export class Unacceptable extends Error {
  /**
   * @param {string} message
   * @param {string} [help] What to do about it.
   */
  constructor(message, help) {
    super(message)
    this.name = 'Unacceptable'
    this.help = help
  }
}
