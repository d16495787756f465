/** The id of the page's element in which a server may embed answers to the first requests. */
export const firstAnswersId = 'first-answers'

/** Successful answers to `GET` requests, by path and query. */
export type FirstAnswers = Record<string, { headers: [string, string][]; body: string }>
