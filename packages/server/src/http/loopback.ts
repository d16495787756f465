import { isIPv4 } from 'node:net'

/** Whether an address, or the host of a URL, is of this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  host === '[::1]' ||
  (isIPv4(host) && host.startsWith('127.'))
