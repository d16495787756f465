import { passkeyAlgorithms } from '@gantry/api/people/second-factor.rules'
import type { KnownPasskey, WebAuthn, WebAuthnExpected } from '@gantry/control-plane/environment'

// Loaded at the first use of a passkey: its certificates and ASN.1 would slow every start.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

const expectedBy = ({ challenge, origin, rp_id }: WebAuthnExpected) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rp_id,
  // Requires unlocking: a passkey replaces both password and second factor.
  requireUserVerification: true,
})

const credential = (id: string) =>
  ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const

/** WebAuthn by a library that follows the specification (level 3, 7.1 and 7.2). */
export const libraryWebAuthn: WebAuthn = {
  async readRegistration({ credential_id, client_data, attestation }, expected) {
    await refuseAttested(attestation)
    const { verifyRegistrationResponse } = await library()
    const response = { clientDataJSON: client_data, attestationObject: attestation }
    const { registrationInfo } = await verifyRegistrationResponse({
      ...expectedBy(expected),
      response: { ...credential(credential_id), response },
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    })
    const made = registrationInfo?.credential
    if (!made) throw new Error('the attestation does not hold')
    if (made.id !== credential_id) throw new Error('the credential has another id than the one given')
    const public_key = Buffer.from(made.publicKey).toString('base64url')
    return { credential_id, public_key, sign_count: made.counter } satisfies KnownPasskey
  },

  async readAssertion({ credential_id, client_data, authenticator_data, signature }, expected, known) {
    const { verifyAuthenticationResponse } = await library()
    const response = { clientDataJSON: client_data, authenticatorData: authenticator_data, signature }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectedBy(expected),
      response: { ...credential(credential_id), response },
      credential: {
        id: known.credential_id,
        publicKey: new Uint8Array(Buffer.from(known.public_key, 'base64url')),
        counter: known.sign_count,
      },
    })
    if (!verified) throw new Error('the signature does not hold')
    return authenticationInfo.newCounter
  },
}

/**
 * No attestation is requested, so any that names a manufacturer is refused: its certificates would make the
 * library fetch revocation lists from URLs that the sender chooses.
 */
async function refuseAttested(attestation: string): Promise<void> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')))
  const format = decoded.get('fmt')
  const isBySelf = format === 'packed' && !decoded.get('attStmt').get('x5c')
  if (format !== 'none' && !isBySelf) throw new Error(`an attestation of format ${format} was not asked for`)
}
