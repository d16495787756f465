/** Fields of requests that hold a secret, wherever they are. */
const secretNames: ReadonlySet<string> = new Set([
  'encryption_key',
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
  (secretNames.has(name) && !isSetting(beside[name])) ||
  (name === 'key' && 'cert' in beside) ||
  (name === 'value' && beside['mode'] === 'password')

/** How a user signs in is a password beside its mode, or none. */
const isSetting = (value: unknown): boolean => typeof value === 'object' && value !== null && 'mode' in value

/** What a secret is called where it stands alone: the value of a password is one. */
export const secretWord = (name: string): string => (name === 'value' ? 'password' : name)
