export interface HeaderOptions {
  /** Origins by which browsers reach the server, besides the one it listens on. */
  origins: readonly string[]
}

/** Features that a console for machines never asks for. */
const denied = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer']
const deniedToo = ['microphone', 'midi', 'payment', 'screen-wake-lock', 'usb', 'xr-spatial-tracking']

/** Two years, the least that browsers' preload lists take. */
const HSTS = 'max-age=63072000; includeSubDomains'

/** What every response carries, whoever answers: the API, the console's files, and every refusal. */
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

/** Only where the browser came by https: over http it would be ignored, and on a shared host name do harm. */
export const strictTransportSecurity = { 'strict-transport-security': HSTS }

/** No inline script or style anywhere, so an injected one does nothing. */
function contentSecurityPolicy(origins: readonly string[]): string {
  // `'self'` covers WebSockets of the same host and port in current browsers; older ones need them named.
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
