import { expect, test } from 'vitest'
import { securityHeaders } from './http/security-headers.ts'
import { prometheusMetrics } from './metrics.ts'

test('requests are counted by operation, and client input never becomes a series', async () => {
  const metrics = prometheusMetrics((_, pathname) => (pathname === '/v1/disks' ? 'disk_list' : undefined))
  const seen = { method: 'GET', status: 200, seconds: 0.02 }
  metrics.observe({ ...seen, area: 'api', pathname: '/v1/disks' })
  metrics.observe({ ...seen, area: 'api', pathname: '/v1/nothing/what-a-client-typed' })
  metrics.observe({ ...seen, area: 'console', pathname: '/projects', method: 'BREW' })
  metrics.observe({ ...seen, area: undefined, pathname: '', status: 400 })
  const { port, close } = await metrics.listen(0)
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  const text = await answer.text()
  const count = 'gantry_http_request_duration_seconds_count'
  expect(text).toContain(`${count}{method="GET",operation="disk_list",status="200"} 1`)
  expect(text).toContain(`${count}{method="GET",operation="unknown",status="200"} 1`)
  expect(text).toContain(`${count}{method="other",operation="console",status="200"} 1`)
  expect(text).toContain(`${count}{method="GET",operation="unreadable",status="400"} 1`)
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).not.toContain('what-a-client-typed')
  const missing = await fetch(`http://127.0.0.1:${port}/`)
  expect(missing.status).toBe(404)
  for (const { headers } of [answer, missing])
    for (const name of Object.keys(securityHeaders({ origins: [] })))
      expect(headers.has(name), name).toBe(true)
  await close()
})
