const key = 'gantry-provider'

/** The identity provider last used in this browser to sign in to a silo. */
export function lastProvider(silo: string): string | undefined {
  const [of, provider] = localStorage.getItem(key)?.split('/') ?? []
  return of === silo ? provider : undefined
}

export const rememberProvider = (silo: string, provider: string): void =>
  localStorage.setItem(key, `${silo}/${provider}`)
