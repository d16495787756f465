/** Every error code of the API and its HTTP status; parse failures carry none. */
export const errorStatus = {
  ObjectNotFound: 404,
  ObjectAlreadyExists: 400,
  Unauthorized: 401,
  Forbidden: 403,
  'Not Acceptable': 406,
  InvalidRequest: 400,
  InvalidValue: 400,
  Conflict: 409,
  InsufficientCapacity: 507,
  ServiceNotAvailable: 503,
  PreconditionFailed: 412,
  TooManyRequests: 429,
  Internal: 500,
} as const
export type ErrorCode = keyof typeof errorStatus

export interface ErrorBody {
  request_id: string
  error_code?: string
  message: string
}

/** A failure as screens display it. */
export interface ApiFailure {
  message: string
  errorCode?: string
  statusCode: number
  requestId?: string
}

/** Capitalises a message of the API, which often begins in lower case. */
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The message for a failed call, in the order of the specification's error catalogue. `operation` is the
 * operation's id (`project_create`), which contains the resource's name.
 */
export function errorWords(operation: string, code: string | undefined, message: string | undefined): string {
  if (code === 'Forbidden') return 'Action not authorized'
  if (code === 'ObjectNotFound' && message) return capitalise(message)
  if (code === 'ObjectAlreadyExists') {
    const resource = existingResource(message) ?? createdResource(operation)
    if (resource)
      return `${capitalise(resource.replace(acronyms, (word) => word.toUpperCase()))} name already exists`
  }
  if (message?.startsWith('unable to parse JSON body')) {
    return capitalise(
      message.replace(/^unable to parse JSON body: /, '').replace(/ at line \d+ column \d+$/, ''),
    )
  }
  return message ? capitalise(message) : 'Unknown server error'
}

const existingResource = (message: string | undefined): string | undefined =>
  message
    ?.match(/^already exists: ([^"]+)/)?.[1]
    ?.trim()
    .replaceAll('-', ' ')

/** The name in `already exists: disk "data"`. */
export const existingName = (message: string): string | undefined =>
  message.match(/^already exists: [^"]+"(.+)"$/)?.[1]

/** `instance_create` creates an instance, `vpc_router_routes_create` a route. Some resources have two words. */
function createdResource(operation: string): string | undefined {
  const [, words] =
    /((?:ssh_key|floating_ip|ip_pool|external_subnet|subnet_pool)|[^_]+?)s?_create(?:_|$)/.exec(operation) ??
    []
  return words?.replace('_', ' ')
}

const acronyms = /\b(?:bfd|bgp|id|ip|ssh|tls|url|vpc)\b/g
