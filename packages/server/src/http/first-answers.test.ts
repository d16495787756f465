import fs from 'node:fs/promises'
import path from 'node:path'
import { firstAnswersId } from '@gantry/api/base/first-answers.rules'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { type Ask, firstAnswers } from './first-answers.ts'

const html =
  '<html><head><script src="/before-paint.js" data-console="/assets/shell.js /assets/tables.js"></script>' +
  '<script src="/assets/main.js"></script></head><body>…</body></html>'
const pages = [
  {
    path: '/projects/$project/instances',
    reads: ['/v1/me', '/v1/instances?project={project}&limit=50'],
    files: ['assets/main.js', 'assets/shell.js', 'assets/list.js'],
  },
  { path: '/projects/$project/$other', reads: ['/v1/me'], files: [] },
]

async function written(url: string, ask: Ask, headers: Record<string, string> = { cookie: 'session=1' }) {
  const directory = await temporaryFolder()
  await fs.writeFile(path.join(directory, '.pages.json'), JSON.stringify(pages))
  const write = await firstAnswers(directory)
  const page = write(new Request(`http://gantry.test${url}`, { headers }), html, ask)
  return page && page.start + (await page.end)
}

const answering =
  (asked: string[] = []): Ask =>
  async (target) => {
    asked.push(target)
    const headers = { etag: '"1"', 'set-cookie': 'session=2' }
    return new Response(`{"target":"${target}</script>"}`, { headers })
  }

const blockIn = (page = '') =>
  JSON.parse(new RegExp(`id="${firstAnswersId}">(.*?)</script>`).exec(page)?.[1] ?? 'null') as unknown

test('a page brings what its first load reads, its names filled in, and the scripts that it lacks', async () => {
  const page = await written('/projects/the%20web/instances', answering())
  const headers = [
    ['content-type', 'text/plain;charset=UTF-8'],
    ['etag', '"1"'],
  ]
  const of = (target: string) => ({ headers, body: `{"target":"${target}</script>"}` })
  expect(blockIn(page)).toEqual({
    '/v1/me': of('/v1/me'),
    '/v1/instances?project=the%20web&limit=50': of('/v1/instances?project=the%20web&limit=50'),
  })
  expect(page?.match(/<link [^>]*>/g)).toEqual([
    '<link rel="modulepreload" crossorigin href="/assets/shell.js">',
    '<link rel="modulepreload" crossorigin href="/assets/list.js">',
  ])
})

test.each([
  ['a caller without a cookie', '/projects/web/instances', {}],
  ['a frame', '/projects/web/instances', { cookie: 'session=1', 'sec-fetch-dest': 'iframe' }],
  ['a script', '/projects/web/instances', { cookie: 'session=1', 'sec-fetch-dest': 'empty' }],
  ['a page that a query changes', '/projects/web/instances?page=2', { cookie: 'session=1' }],
  ['a page that is not noted', '/settings', { cookie: 'session=1' }],
])('nothing is asked for %s', async (_, url, headers) => {
  const asked: string[] = []
  expect(await written(url, answering(asked), headers)).toBeUndefined()
  expect(asked).toEqual([])
})

test('nothing more is asked where the session opens nothing', async () => {
  const asked: string[] = []
  const refuse: Ask = async (target) => {
    asked.push(target)
    return new Response('{}', { status: 401 })
  }
  expect(blockIn(await written('/projects/web/instances', refuse))).toBeNull()
  expect(asked).toEqual(['/v1/me'])
})

test('an answer that went wrong, or is very long, is left to the console', async () => {
  const ask = (status: number, length: number) => async (target: string) =>
    target === '/v1/me' ? new Response('{}') : new Response('x'.repeat(length), { status })
  for (const given of [ask(404, 2), ask(200, 300_000)])
    expect(Object.keys(blockIn(await written('/projects/web/instances', given)) as object)).toEqual([
      '/v1/me',
    ])
})

test.each<[string, Ask]>([
  ['is slow', () => new Promise(() => undefined)],
  ['fails', () => Promise.reject(new Error('no'))],
])('a page is whole without an answer that %s', async (_, ask) => {
  const page = await written('/projects/web/instances', ask)
  expect(page).toContain('…</body></html>')
  expect(blockIn(page)).toBeNull()
})

test.each<[string, Ask]>([
  ['is slow', () => new Promise(() => undefined)],
  ['fails', () => Promise.reject(new Error('no'))],
])('a page brings the answers beside one that %s', async (_, ask) => {
  const given: Ask = (target) => (target === '/v1/me' ? answering()(target) : ask(target))
  expect(Object.keys(blockIn(await written('/projects/web/instances', given)) as object)).toEqual(['/v1/me'])
})

test('a console without notes is served as before', async () => {
  const write = await firstAnswers(await temporaryFolder())
  const request = new Request('http://gantry.test/projects', { headers: { cookie: 'session=1' } })
  expect(write(request, html, answering())).toBeUndefined()
})
