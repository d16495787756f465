export interface HeaderOptions {
  /** Origins by which browsers reach the server, besides the one it listens on. */
  origins: readonly string[]
}

/** Browser features that the console never uses. */
const denied = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer']
const deniedToo = ['microphone', 'midi', 'payment', 'screen-wake-lock', 'usb', 'xr-spatial-tracking']

/** Two years, the minimum of browsers' preload lists. */
const HSTS = 'max-age=63072000; includeSubDomains'

/** Headers of every response: API, console files, and every refusal. */
export function securityHeaders({ origins }: HeaderOptions): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(origins),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': [...denied, ...deniedToo].map((feature) => `${feature}=()`).join(', '),
  }
}

/**
 * Only if the browser used https: over http it would be ignored, and on a shared host name it would do harm.
 */
export const strictTransportSecurity = { 'strict-transport-security': HSTS }

/** No inline scripts or styles, so injected ones do nothing. */
function contentSecurityPolicy(origins: readonly string[]): string {
  // In current browsers `'self'` covers WebSockets of the same host and port; older ones need them listed.
  const sockets = origins.map((origin) => origin.replace(/^http/, 'ws'))
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src ${[`'self'`, ...sockets].join(' ')}`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}
