import { expect, test } from 'vitest'
import { jsonLog } from './log.ts'

test('secrets never reach the log, and errors are logged in full', () => {
  const lines: string[] = []
  const log = jsonLog('info', { write: (line) => void lines.push(line) })
  log.info(
    {
      password: 'hunter2',
      headers: { cookie: 'session=abc', authorization: 'Bearer abc', 'set-cookie': 'abc' },
    },
    'signed in',
  )
  log.error({ err: Object.assign(new Error('no'), { code: '23505' }) }, 'a request failed')
  log.debug({}, 'too much')
  expect(lines).toHaveLength(2)
  expect(lines[0]).not.toMatch(/hunter2|abc/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: 'signed in', password: '[secret]' })
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({
    err: { message: 'no', code: '23505', stack: expect.any(String) },
  })
})
