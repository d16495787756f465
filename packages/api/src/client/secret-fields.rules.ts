/** Fields of requests that hold a secret, wherever they are. */
const secretNames: ReadonlySet<string> = new Set([
  'md5_auth_key',
  'old_password',
  'password',
  'private_key',
  'secret',
  'secrets',
])

/**
 * Whether a field of a request holds a secret: by its name, or by what stands beside it. The key of a certificate is one,
 * and the key of a tag is none.
 */
export const isSecretField = (name: string, beside: Readonly<Record<string, unknown>>): boolean =>
  secretNames.has(name) ||
  (name === 'key' && 'cert' in beside) ||
  (name === 'value' && beside['mode'] === 'password')
