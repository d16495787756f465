import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { securityHeaders } from './http/security-headers.ts'
import type { Observe } from './http/server.ts'

/** From a cached view to a long upload, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Other methods come from clients, who must not be able to create time series at will. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The operation of a request, or undefined if there is none: its path must not become a series. */
export type OperationOf = (method: string, pathname: string) => string | undefined

export interface Metrics {
  observe: Observe
  /** Serves `/metrics` on loopback only, for a collector on the same host. */
  listen: (port: number) => Promise<{ port: number; close: () => Promise<void> }>
}

export function prometheusMetrics(operationOf: OperationOf): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'gantry_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'operation', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  })
  return {
    observe({ method, pathname, area, status, seconds }) {
      const operation = area === 'api' ? (operationOf(method, pathname) ?? 'unknown') : (area ?? 'unreadable')
      duration.observe(
        { method: methods.has(method) ? method : 'other', operation, status: String(status) },
        seconds,
      )
    },
    async listen(port) {
      const headers = { ...securityHeaders({ origins: [] }), 'cache-control': 'no-store' }
      const server = createServer((request, response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        if (request.url !== '/metrics') return void response.writeHead(404).end()
        void registry.metrics().then(
          (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        )
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
        if (cause.code !== 'EADDRINUSE') throw cause
        throw new Error(`Port ${port} for metrics is in use. Choose another with --admin-port.`, { cause })
      })
      return {
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          }),
      }
    },
  }
}
