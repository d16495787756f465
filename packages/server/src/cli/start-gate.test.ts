import { expect, test } from 'vitest'
import { fakeControlPlane } from '../testing/fake-control-plane.ts'
import { startGate } from './start-gate.ts'

const ask = (gate: ReturnType<typeof startGate>, accept: string, method = 'GET') =>
  gate.fetch(new Request('http://localhost/v1/me', { method, headers: { accept } }), { address: '' })

test('a browser that arrives during the start gets a page that reloads itself', async () => {
  const answer = await ask(startGate(), 'text/html,application/xhtml+xml,*/*;q=0.8')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  const page = await answer.text()
  expect(page).toContain('Gantry is starting.')
  expect(page).toContain('<meta http-equiv="refresh" content="1">')
  expect(page).not.toMatch(/style=|<style|script/)
})

test('the files of that page come from the console', async () => {
  const gate = startGate()
  const page = await (await ask(gate, 'text/html')).text()
  const files = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file = '']) => file)
  expect(new Set(files)).toEqual(new Set(['/mark.svg', '/starting.css']))
  expect(files.filter((file) => gate.serves('GET', file))).toEqual([])
  expect(gate.serves('GET', '/projects')).toBe(true)
})

test.each(['GET', 'POST'])('a program is refused as usual, with a retry hint: %s', async (method) => {
  const answer = await ask(startGate(), '*/*', method)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(answer.headers.get('x-gantry-starting')).toBe('1')
  const body = (await answer.json()) as { request_id: string }
  expect(body).toMatchObject({ error_code: 'ServiceNotAvailable', message: 'Gantry is starting.' })
  expect(body.request_id).toBe(answer.headers.get('x-request-id'))
})

test('once it is open, the control plane answers', async () => {
  const gate = startGate()
  gate.open(fakeControlPlane())
  const answer = await ask(gate, 'text/html')
  expect([answer.status, answer.headers.has('x-gantry-starting')]).toEqual([200, false])
})
