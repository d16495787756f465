import { expect, test } from 'vitest'
import { consoleCommand, streamUrl } from './stream-url.ts'

const plain = { protocol: 'http:', host: 'rack:8080', origin: 'http://rack:8080' }
const secure = { protocol: 'https:', host: 'cloud.example', origin: 'https://cloud.example' }
const tail = '/v1/instances/db-1/serial-console/stream?project=web&most_recent=262144'

test.each([
  [plain, `ws://rack:8080${tail}`],
  [secure, `wss://cloud.example${tail}`],
])("the stream has the page's origin", (location, expected) => {
  expect(streamUrl(location, 'web', 'db-1')).toBe(expected)
})

test('the command is the same on one line and over several', () => {
  const { line, lines } = consoleCommand(secure, 'web', 'db-1')
  expect(lines.join(' ')).toBe(line)
  expect(line).toContain(`wss://cloud.example${tail}`)
})
