/** What is wrong with a document, as the sentence that its sender reads; everything else that is thrown is a bug. */
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
