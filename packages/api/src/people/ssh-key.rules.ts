import { privateKeyIn } from '../base/private-key.rules.ts'

/**
 * Characters of a public key: room for RSA keys of 16,384 bits, certificates, and post-quantum keys. The
 * reference keeps 1023, and answers 500 to a longer one.
 */
export const sshKeyMaxLength = 8192

/** Why a text can not be a public key, as a message and advice; undefined if it may be one. */
export function sshKeyRefusal(text: string): { message: string; help: string } | undefined {
  const secret = privateKeyIn(text)
  if (secret === undefined) return undefined
  return {
    message: `this is ${secret}`,
    help: 'Paste the public key, usually a file that ends in .pub. Whoever saw the private key can sign in with it.',
  }
}

const type = '(?:sk-|webauthn-sk-)?(?:ssh|ecdsa|rsa)-[A-Za-z0-9@.-]+'
/** A type and its base64, after options such as `from="10.0.0.0/8"`, before a comment. */
const publicKey = new RegExp(`(?:^|[ \\t])${type}[ \\t]+[A-Za-z0-9+/]+={0,2}(?:[ \\t]|$)`)

/**
 * Why a text does not look like public keys of OpenSSH; undefined if it does. Others are kept too: only the
 * instance's image knows what it takes.
 */
export function sshKeyDoubt(text: string): string | undefined {
  const lines = text.split(/\r?\n|\r/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length > 0 && lines.every((line) => publicKey.test(line))) return undefined
  if (text.includes('BEGIN SSH2 PUBLIC KEY'))
    return 'This is a key in the SSH2 form. Most images take the one-line form of OpenSSH only.'
  if (text.includes('-----BEGIN'))
    return 'This is a PEM block. Most images take the one-line form of OpenSSH only.'
  const [first = ''] = lines
  if (lines.length > 1 && publicKey.test(first))
    return 'The key is broken into lines. Most images take a key in one line only.'
  return 'This doesn’t look like an SSH public key, which begins with its type, such as ssh-ed25519 or ssh-rsa.'
}
