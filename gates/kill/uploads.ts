import { createHash, randomBytes } from 'node:crypto'
import { pause } from './chance.ts'
import { ask, type Load, repeatUntil } from './load.ts'

const KiB = 1024
const partSize = 64 * KiB
const parts = 6

interface Upload {
  name: string
  bytes: Buffer<ArrayBuffer>
  id?: string
  acknowledged: Set<number>
}

interface View {
  state: string
  received: { offset: number; length: number }[]
  image_id: string | null
}

/** Uploads images in sequential parts, and resumes after every kill. */
export class Uploader {
  #upload: Upload | undefined

  work(load: Load, isOver: () => boolean): Promise<void> {
    return repeatUntil(isOver, () => this.#go(load, isOver))
  }

  async #go(load: Load, isOver: () => boolean): Promise<void> {
    this.#upload ??= {
      name: load.nextName('upload'),
      bytes: Buffer.from(randomBytes(parts * partSize)),
      acknowledged: new Set(),
    }
    const upload = this.#upload
    if (upload.id === undefined) upload.id = await begin(load, upload.name)
    if (upload.id === undefined) return
    if (!(await this.#resume(load, upload))) return
    const order = Array.from({ length: parts }, (_, part) => part)
      .filter((part) => !upload.acknowledged.has(part))
      .sort(() => load.chance() - 0.5)
    // Two at once, so that a kill interrupts several.
    for (let at = 0; at < order.length && !isOver(); at += 2)
      await Promise.all(order.slice(at, at + 2).map((part) => sendPart(load, upload, part)))
    if (upload.acknowledged.size < parts || isOver()) return
    await ask(load, 'upload complete', 'POST', `/ext/v1/image-uploads/${upload.id}/complete`)
    await this.#compare(load, upload, isOver)
  }

  /** Every acknowledged part is reported as received; false if it cannot resume, or not yet. */
  async #resume(load: Load, upload: Upload): Promise<boolean> {
    // A piece whose twin broke may still be on its way, and be acknowledged after the view was read.
    const acknowledged = [...upload.acknowledged]
    const answer = await ask(load, 'upload view', 'GET', `/ext/v1/image-uploads/${upload.id}`)
    // The database may be briefly unreachable.
    if (answer.status === 503) return false
    if (!answer.ok) {
      load.ledger.faults.push(`upload ${upload.name} is gone: ${answer.status}`)
      this.#upload = undefined
      return false
    }
    const { received, state } = answer.body as View
    for (const part of acknowledged) {
      const offset = part * partSize
      const isHeld = received.some((range) => range.offset <= offset && range.offset + range.length > offset)
      if (!isHeld) load.ledger.faults.push(`part ${part} of ${upload.name}, which is ${state}, is gone`)
    }
    return true
  }

  /** The image equals what was sent, byte for byte, by its digest. */
  async #compare(load: Load, upload: Upload, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const { body, ok } = await ask(load, 'upload view', 'GET', `/ext/v1/image-uploads/${upload.id}`)
      const view = ok ? (body as View) : undefined
      if (view?.state === 'done') {
        const image = await ask(load, 'image view', 'GET', `/v1/images/${view.image_id}`)
        if (!image.ok) return
        const { digest } = image.body as { digest: { value: string } | null }
        const sent = createHash('sha256').update(upload.bytes).digest('hex')
        if (digest?.value !== sent)
          load.ledger.faults.push(
            `${upload.name} differs from what was sent: ${digest?.value} instead of ${sent}`,
          )
        if (view.image_id) load.ledger.add('images', view.image_id, upload.name)
        load.ledger.uploads++
        this.#upload = undefined
        return
      }
      await pause(50)
    }
  }
}

async function begin(load: Load, name: string): Promise<string | undefined> {
  const body = {
    name,
    description: '',
    os: 'Linux',
    version: '1',
    block_size: 512,
    size: parts * partSize,
  }
  const path = `/ext/v1/image-uploads?project=${load.project}`
  const answer = await ask(load, 'upload begin', 'POST', path, { body })
  if (answer.ok) return (answer.body as { id: string }).id
  // The answer to an earlier attempt may have been lost.
  const found = await ask(load, 'upload list', 'GET', `${path}&limit=1000`)
  if (!found.ok) return undefined
  const { items } = found.body as { items: { id: string; name: string; state: string }[] }
  return items.find((item) => item.name === name && item.state === 'open')?.id
}

async function sendPart(load: Load, upload: Upload, part: number): Promise<void> {
  const offset = part * partSize
  const bytes = upload.bytes.subarray(offset, offset + partSize)
  const headers = {
    'content-type': 'application/octet-stream',
    'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
  }
  const path = `/ext/v1/image-uploads/${upload.id}/content?offset=${offset}`
  const answer = await ask(load, 'upload part', 'PUT', path, { bytes: new Uint8Array(bytes), headers })
  if (answer.ok) upload.acknowledged.add(part)
}
