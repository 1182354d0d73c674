// Types for the part of OpenAPI 3.1 that openapi.yaml and control.yaml use, and for their `x-` extensions.

/** A schema in JSON Schema 2020-12, with the keywords that the documents use. */
export interface JsonSchema {
  /** Always of the form `#/components/schemas/<name>`. */
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | null)[];
  readonly const?: string | boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  /** `false` forbids the property. */
  readonly properties?: Readonly<Record<string, JsonSchema | false>>;
  /** Schemas of the properties whose names match a pattern. */
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
  readonly 'x-freedom'?: string;
  /** Keywords that the reference server also checks, if the contract does not specify them. */
  readonly 'x-reference-constraints'?: JsonSchema;
}

/** Refers to an object of the same document, such as `#/components/parameters/Limit`. */
export interface Reference {
  readonly $ref: string;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  /** A point that the contract leaves open. */
  readonly 'x-freedom'?: string;
  /** True if the contract gives no name and the reference server chose this one. */
  readonly 'x-reference'?: boolean;
  /** True for a path parameter that can contain slashes. */
  readonly 'x-slash-delimited'?: boolean;
  /** True for a list of values with commas, which may also come as a repeated parameter. */
  readonly 'x-comma-separated'?: boolean;
}

export interface HeaderObject {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface MediaTypeObject {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

export interface RequestBodyObject {
  readonly description?: string;
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaTypeObject>>;
  /** How many times as long as other bodies the reference server lets this one be. Default: 1. */
  readonly 'x-body-limit-factor'?: number;
  readonly 'x-freedom'?: string;
  /** What the reference server also requires, if the contract does not specify it. */
  readonly 'x-reference-constraints'?: { readonly required: true };
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
  readonly 'x-freedom'?: string;
  /** Status that the reference server sends, if the contract does not specify one. */
  readonly 'x-reference-status'?: number;
  /** True for a response that only the reference server is known to send. */
  readonly 'x-reference'?: boolean;
  /** Media type that the reference server sends, if the contract does not specify one. */
  readonly 'x-reference-media-type'?: string;
  /** Name of the schema of the reference server's body, if the contract does not specify one. */
  readonly 'x-reference-schema'?: string;
  /** Every code that the issues of an error can have. Used in `control.yaml`. */
  readonly 'x-codes'?: readonly string[];
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: RequestBodyObject;
  /** Responses by status: `200`, a range such as `2XX`, or `default`. */
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  readonly 'x-freedom'?: string;
  /** True for a download of which the reference server also sends a range: 206 or 416. */
  readonly 'x-reference-ranges'?: boolean;
  /** True for a companion operation, which the contract does not describe. */
  readonly 'x-companion'?: boolean;
  /** Whether the conformance suite needs the operation. Used in `control.yaml`. */
  readonly 'x-suite'?: 'required' | 'optional';
}

export interface PathItemObject {
  readonly servers?: readonly { readonly url: string }[];
  readonly get?: OperationObject;
  readonly post?: OperationObject;
  readonly put?: OperationObject;
  readonly patch?: OperationObject;
  readonly delete?: OperationObject;
}

export interface SecuritySchemeObject {
  readonly type: 'http';
  readonly scheme: 'bearer';
  readonly description: string;
}

/** The whole contract: `paths` for the API, `webhooks` for the events, by event type. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, PathItemObject>>;
  readonly webhooks: Readonly<Record<string, PathItemObject>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, ParameterObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: Readonly<Record<string, SecuritySchemeObject>>;
  };
}
