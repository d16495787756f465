import { createHash } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { isIp, knownNet } from '@gantry/api/base/ip.rules'
import {
  type BackupStore,
  BackupStoreFailed,
  backupNamesAtOnce,
} from '@gantry/control-plane/blocks/backup-store'
import type { StoredPlace } from '@gantry/control-plane/db/tables/backups'
import type { Settings } from '@gantry/control-plane/settings'
import { AwsV4Signer } from 'aws4fetch'
import { isReachable } from '../egress/address-classes.ts'
import { destinationOf } from '../egress/destination.ts'
import { EgressRefused } from '../egress/refused.ts'
import { lookUp, type Resolve, unlessAborted } from '../egress/resolve.ts'

export type Bucket = Extract<StoredPlace, { type: 's3' }>

const attempts = 4
/** Without any answer. */
const requestMs = 60_000
const pauseMs = (attempt: number): number => 200 * 4 ** attempt
/** A list of a thousand names has half of that. */
const answerMax = 2 * 1024 * 1024

interface Options {
  egress: Settings['egress']
  signal: AbortSignal
  resolve?: Resolve
}

interface Answer {
  status: number
  body: Uint8Array<ArrayBuffer>
}

/**
 * Objects in a bucket. The connections go to addresses that the operator allows, as all of this server's requests; they are
 * kept, because a backup sends thousands of objects. Every object is sent with its SHA-256, which the store compares.
 */
export function s3Store(
  bucket: Bucket,
  secret: string,
  { egress, signal, resolve = lookUp }: Options,
): BackupStore {
  const allowed = egress.allowed_networks.map(knownNet)
  const base = new URL(bucket.endpoint)
  if (!bucket.path_style) base.hostname = `${bucket.bucket}.${base.hostname}`
  const isSecure = base.protocol === 'https:'
  const agent = new (isSecure ? https : http).Agent({
    keepAlive: true,
    maxSockets: 8,
    timeout: requestMs,
    // Every new connection looks its name up, and goes to no other address than those.
    lookup(hostname, options, done) {
      resolve(hostname).then(
        (found) => {
          const addresses = found
            .filter((address) => isReachable(address, allowed))
            .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
          const [first] = addresses
          if (!first) done(new EgressRefused('it does not lead to a public address'), '', 4)
          else if (options.all) done(null, addresses)
          else done(null, first.address, first.family)
        },
        (error: unknown) => done(error as Error, '', 4),
      )
    },
  })
  const urlOf = (name: string): URL => {
    const url = new URL(base)
    url.pathname = [...(bucket.path_style ? [bucket.bucket] : []), ...prefixed(name)].join('/')
    return url
  }
  const prefixed = (name: string): string[] => [...(bucket.prefix === '' ? [] : [bucket.prefix]), name]

  async function once(
    method: string,
    url: URL,
    max: number,
    body?: Uint8Array<ArrayBuffer>,
  ): Promise<Answer> {
    // A host that is an address is not looked up.
    if (isIp(base.hostname.replace(/^\[(.*)\]$/, '$1'))) await destinationOf(base.href, { allowed, resolve })
    const hash = createHash('sha256')
      .update(body ?? new Uint8Array(0))
      .digest('hex')
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': hash },
      accessKeyId: bucket.access_key_id,
      secretAccessKey: secret,
      service: 's3',
      region: bucket.region,
    }).sign()
    const ending = AbortSignal.any([signal, AbortSignal.timeout(requestMs)])
    return unlessAborted(
      ending,
      new Promise<Answer>((done, fail) => {
        const request = (isSecure ? https : http).request(signed.url, {
          method,
          agent,
          signal: ending,
          maxHeaderSize: 16 * 1024,
          headers: {
            ...Object.fromEntries(signed.headers),
            'user-agent': 'gantry',
            'content-length': body?.length ?? 0,
          },
        })
        request.on('error', fail)
        request.on('response', (response) => {
          answerOf(response, max).then(done, fail)
        })
        request.end(body)
      }),
    )
  }

  /** Repeats what may pass: every call of a store can be done twice. */
  async function ask(method: string, url: URL, max: number, body?: Uint8Array<ArrayBuffer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted()
      try {
        const answer = await once(method, url, max, body)
        if (answer.status < 500 && answer.status !== 429) return answer
        if (attempt + 1 >= attempts) throw refused(answer)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof BackupStoreFailed) throw error
        if (error instanceof EgressRefused) throw notAllowed(error)
        if (attempt + 1 >= attempts) throw unreachable(error as Error)
      }
      await new Promise((resume) => setTimeout(resume, pauseMs(attempt)))
    }
  }

  return {
    async put(name, bytes) {
      const answer = await ask('PUT', urlOf(name), answerMax, bytes)
      if (answer.status >= 300) throw refused(answer)
    },
    async get(name, max) {
      const answer = await ask('GET', urlOf(name), Math.max(max, answerMax))
      if (answer.status === 404 && !isNoBucket(answer)) return undefined
      if (answer.status !== 200) throw refused(answer)
      if (answer.body.length > max) throw tooLong(name)
      return answer.body
    },
    async has(name) {
      const answer = await ask('HEAD', urlOf(name), answerMax)
      if (answer.status === 404) return false
      if (answer.status !== 200) throw refused(answer)
      return true
    },
    async remove(name) {
      const answer = await ask('DELETE', urlOf(name), answerMax)
      if (answer.status >= 300 && answer.status !== 404) throw refused(answer)
    },
    async list(prefix, after) {
      const url = new URL(base)
      url.pathname = bucket.path_style ? bucket.bucket : ''
      const begin = bucket.prefix === '' ? '' : `${bucket.prefix}/`
      const query = { 'list-type': '2', 'max-keys': String(backupNamesAtOnce), prefix: `${begin}${prefix}` }
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
      if (after !== undefined) url.searchParams.set('start-after', `${begin}${after}`)
      const answer = await ask('GET', url, answerMax)
      if (answer.status !== 200) throw refused(answer)
      // Names have no character that XML or the list would encode.
      return [...textOf(answer).matchAll(/<Key>([A-Za-z0-9._/-]+)<\/Key>/g)].map(([, key = '']) =>
        key.slice(begin.length),
      )
    },
  }
}

const textOf = ({ body }: Answer): string => new TextDecoder().decode(body)
const codeIn = (answer: Answer): string => /<Code>([A-Za-z]{1,60})<\/Code>/.exec(textOf(answer))?.[1] ?? ''
const isNoBucket = (answer: Answer): boolean => codeIn(answer) === 'NoSuchBucket'

async function answerOf(response: http.IncomingMessage, max: number): Promise<Answer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > max) {
      response.destroy()
      throw tooLong('of the store')
    }
    pieces.push(piece)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return { status: response.statusCode ?? 0, body }
}

const tooLong = (name: string): BackupStoreFailed =>
  new BackupStoreFailed(`An answer ${name} is longer than what was written.`, 'Look at the store.')

const notAllowed = (cause: Error): BackupStoreFailed =>
  new BackupStoreFailed(
    'The server of the bucket is refused: it does not lead to a public address.',
    'Allow its network by the setting `egress.allowed_networks`.',
    { cause },
  )

const unreachable = (cause: Error): BackupStoreFailed =>
  new BackupStoreFailed(
    'The server of the bucket does not answer.',
    'Check the address, and whether this server can reach it.',
    { cause },
  )

const advice: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Make the bucket, or check its name.',
  AccessDenied: 'Let the access key read, write, list and delete in the bucket.',
  InvalidAccessKeyId: 'Check the access key.',
  SignatureDoesNotMatch: 'Check the secret of the access key, and the region.',
  RequestTimeTooSkewed: 'Set the clock of this server.',
  PermanentRedirect: 'Check the region, and the address for it.',
  SlowDown: 'The store is busy. Try again later.',
}

function refused(answer: Answer): BackupStoreFailed {
  const code = codeIn(answer)
  return new BackupStoreFailed(
    `The server of the bucket refuses with status ${answer.status}${code ? ` (${code})` : ''}.`,
    advice[code] ??
      (answer.status === 403
        ? 'Check the access key, its secret and the region.'
        : 'Check the address, the bucket and the region.'),
  )
}
