import type { OutputOf } from '@gantry/api/client/client'
import { Failure } from '#/data/failure.ts'
import { toBase64 } from '#/kit/page/bytes.ts'

type Creation = OutputOf<'passkeySetUp'>
type Request = OutputOf<'confirmationChallenge'>

/** Creates a passkey with an authenticator. The result is sent unchanged. */
export async function makePasskey(options: Creation) {
  const { rpId, userName, timeoutSeconds } = options
  const credential = await answered(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: rpId, name: 'Gantry' },
        user: { id: bytesOf(options.userHandle), name: userName, displayName: userName },
        challenge: bytesOf(options.challenge),
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: options.exclude.map(descriptor),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
        timeout: timeoutSeconds * 1000,
      },
    }),
  )
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    credentialId: textOf(credential.rawId),
    clientData: textOf(response.clientDataJSON),
    attestation: textOf(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  }
}

/** Signs with a passkey, one of `allow` or any that the user selects. */
export async function signByPasskey({ challenge, rpId, allow, timeoutSeconds }: Request) {
  const credential = await answered(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: bytesOf(challenge),
        rpId,
        allowCredentials: allow.map(descriptor),
        userVerification: 'required',
        timeout: timeoutSeconds * 1000,
      },
    }),
  )
  const response = credential.response as AuthenticatorAssertionResponse
  return {
    credentialId: textOf(credential.rawId),
    clientData: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    userHandle: response.userHandle && textOf(response.userHandle),
  }
}

const descriptor = ({ id, transports }: Request['allow'][number]): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: bytesOf(id),
  transports: transports as AuthenticatorTransport[],
})

/** Browsers hide why there is no answer, so that no page learns which passkeys a user has. */
async function answered(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask()
    if (credential) return credential as PublicKeyCredential
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new Failure({ message: 'This authenticator already has a passkey for you.', statusCode: 0 })
    if (!(error instanceof DOMException)) throw error
  }
  throw new Failure({ message: 'No passkey was used. Try again, or choose another way.', statusCode: 0 })
}

const textOf = (bytes: ArrayBuffer): string =>
  toBase64(new Uint8Array(bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
