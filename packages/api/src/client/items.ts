import type { OpName } from '../registry.ts'
import type { ApiResult, CallOptions, Client, InputOf, LooseInput, OpRef, OutputOf } from './client.ts'

/** A refusal, or no answer at all, as an error: for scripts that end there. */
export class RefusedError extends Error {
  /** 0 if nothing answered. */
  readonly statusCode: number
  readonly errorCode: string | undefined
  /** What to do about it. */
  readonly help: string | undefined
  readonly requestId: string | undefined

  constructor(result: Exclude<ApiResult<unknown>, { type: 'success' }>) {
    const { statusCode } = result
    if (result.type === 'error') {
      const { message, error_code, request_id, help } = result.data as typeof result.data & { help?: string }
      super(message || `the server answered ${statusCode}`)
      this.errorCode = error_code
      this.requestId = request_id
      this.help = help
    } else {
      super(statusCode === 0 ? result.error.message : `the server answered ${statusCode} without JSON`, {
        cause: result.error,
      })
    }
    this.name = 'RefusedError'
    this.statusCode = statusCode
  }
}

/** The data of a success; anything else is thrown. */
export async function unwrap<T>(result: ApiResult<T> | Promise<ApiResult<T>>): Promise<T> {
  const answered = await result
  if (answered.type === 'success') return answered.data
  throw new RefusedError(answered)
}

type ListName = {
  [Name in OpName]: OutputOf<Name> extends { items: readonly unknown[] } ? Name : never
}[OpName]
type ItemOf<Name extends OpName> = OutputOf<Name> extends { items: readonly (infer Item)[] } ? Item : never

/** Every item of a list, page after page. */
export async function* itemsOf<Name extends ListName>(
  client: Client,
  op: OpRef<Name>,
  input: InputOf<Name>,
  options?: CallOptions,
): AsyncGenerator<ItemOf<Name>, void> {
  const { query, ...rest } = input as LooseInput
  let pageToken: unknown
  do {
    // The conditional types of a name that is not known here are opaque to the compiler.
    const asked = {
      ...rest,
      query: { ...query, ...(pageToken !== undefined && { pageToken }) },
    } as InputOf<Name>
    const page = (await unwrap(client(op, asked, options))) as {
      items: ItemOf<Name>[]
      nextPage?: string | null
    }
    yield* page.items
    pageToken = page.nextPage ?? undefined
  } while (pageToken !== undefined)
}
