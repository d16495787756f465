/**
 * The thread that parses SAML documents: anyone may send one, and parsing takes work before the sender is
 * known.
 * @import { Answer, Question } from './questions.ts'
 */
import { parentPort } from 'node:worker_threads'
import { readMetadata } from './reading/metadata.js'
import { readResponse } from './reading/response.js'
import { Unacceptable } from './reading/unacceptable.js'

const port = parentPort
if (!port) throw new Error('saml-worker runs as a worker thread')

port.on('message', (/** @type {Question} */ question) => {
  void answer(question).then((answered) => port.postMessage(answered))
})
port.postMessage('ready')

/**
 * @param {Question} question
 * @returns {Promise<Answer>}
 */
async function answer(question) {
  try {
    return {
      result: await (question.read === 'metadata' ? readMetadata(question) : readResponse(question)),
    }
  } catch (error) {
    if (error instanceof Unacceptable) return { unacceptable: error.message, help: error.help }
    return { error: /** @type {Error} */ (error) }
  }
}
