import { createHash, createHmac } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import S3rver from 's3rver'

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The secret of its only access key, `S3RVER`. */
export const s3Secret = 'S3RVER'

/**
 * A server of S3 with the bucket `backups`. It checks no signatures itself, so that a proxy before it does: by the
 * description of the protocol, with the headers and the body that arrive.
 */
export async function s3Server(directory: string): Promise<{ port: number; close: () => Promise<void> }> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: path.join(directory, 's3'),
    configureBuckets: [{ name: 'backups', configs: [] }],
  })
  const { port: behind } = await server.run()
  const proxy = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces)
      if (!isSigned(request, body)) {
        response.writeHead(403)
        response.end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
        return
      }
      const { method, url, headers } = request
      const passed = http.request(
        { host: '127.0.0.1', port: behind, method, path: url, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        },
      )
      passed.end(body)
    })
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const { port } = proxy.address() as AddressInfo
  return {
    port,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((closed) => proxy.close(closed))
      await server.close()
    },
  }
}

function isSigned({ method, url = '', headers }: http.IncomingMessage, body: Buffer): boolean {
  const parts =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/
  const [, , day = '', region = '', names = '', signature] = parts.exec(headers.authorization ?? '') ?? []
  const payload = String(headers['x-amz-content-sha256'])
  if (payload !== sha(body) || !names.split(';').includes('host')) return false
  const [where = '', query = ''] = url.split('?')
  const parameters = query === '' ? [] : query.split('&').sort()
  const canonical = [
    method,
    where,
    parameters.join('&').replaceAll('+', '%20'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${s3Secret}`, day), region))
  return hmac(key, text).toString('hex') === signature
}
