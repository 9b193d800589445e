// Made by render-schema-main.ts. Do not edit.
export const schema = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "glovebox.yaml",
  "type": "object",
  "required": [
    "version"
  ],
  "additionalProperties": false,
  "properties": {
    "version": {
      "const": 1
    },
    "applications": {
      "type": "object",
      "propertyNames": {
        "minLength": 1,
        "maxLength": 200
      },
      "additionalProperties": {
        "type": "object",
        "additionalProperties": false,
        "required": [
          "type"
        ],
        "properties": {
          "permissions": {
            "description": "For every container, after all rules. Data is shown masked, and used in plaintext.",
            "type": [
              "array",
              "null"
            ],
            "maxItems": 50,
            "items": {
              "$ref": "#/$defs/PermissionType"
            }
          },
          "rules": {
            "description": "Not for management applications.",
            "type": [
              "array",
              "null"
            ],
            "maxItems": 100,
            "items": {
              "$ref": "#/$defs/RuleRequest"
            }
          },
          "can_create_expiring_applications": {
            "type": [
              "boolean",
              "null"
            ],
            "default": false,
            "description": "Private applications only. Whether it may create expiring applications."
          },
          "limits": {
            "description": "Not for management applications. Absent or null means that there is no limit.",
            "type": [
              "object",
              "null"
            ],
            "properties": {
              "uses_per_hour": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1000000000
              },
              "distinct_tokens_per_hour": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100000
              }
            }
          },
          "type": {
            "$ref": "#/$defs/ApplicationType"
          }
        }
      }
    },
    "formulas": {
      "type": "object",
      "propertyNames": {
        "minLength": 1,
        "maxLength": 200
      },
      "additionalProperties": {
        "type": "object",
        "additionalProperties": false,
        "required": [
          "code"
        ],
        "properties": {
          "description": {
            "type": [
              "string",
              "null"
            ],
            "maxLength": 1000
          },
          "icon": {
            "description": "A PNG or JPEG image as a data URL. Empty means none.",
            "type": [
              "string",
              "null"
            ],
            "maxLength": 50000,
            "pattern": "^(?:data:image/(?:png|jpe?g);base64, ?[A-Za-z0-9+/]+={0,2})?$"
          },
          "code": {
            "$ref": "#/$defs/SourceCode"
          },
          "configuration": {
            "description": "The entries that a reactor's configuration must have. No name occurs twice.",
            "type": [
              "array",
              "null"
            ],
            "maxItems": 25,
            "items": {
              "$ref": "#/$defs/SettingDeclarationRequest"
            }
          },
          "request_parameters": {
            "description": "The arguments of an invocation. No name occurs twice.",
            "type": [
              "array",
              "null"
            ],
            "maxItems": 25,
            "items": {
              "$ref": "#/$defs/ParameterDeclarationRequest"
            }
          }
        }
      }
    },
    "proxies": {
      "type": "object",
      "propertyNames": {
        "minLength": 1,
        "maxLength": 200
      },
      "additionalProperties": {
        "type": "object",
        "additionalProperties": false,
        "required": [
          "destination_url"
        ],
        "properties": {
          "destination_url": {
            "type": "string",
            "minLength": 1,
            "maxLength": 400,
            "description": "The destination: https and a public DNS name, unless the operator allows more."
          },
          "destination_tls": {
            "type": "object",
            "additionalProperties": {
              "anyOf": [
                {
                  "description": "Text, the value of an environment variable, the content of a file in the folder, or one value of a file that sops has encrypted.",
                  "anyOf": [
                    {
                      "type": [
                        "string",
                        "number",
                        "boolean",
                        "null"
                      ]
                    },
                    {
                      "type": "object",
                      "required": [
                        "env"
                      ],
                      "additionalProperties": false,
                      "properties": {
                        "env": {
                          "type": "string"
                        }
                      }
                    },
                    {
                      "type": "object",
                      "required": [
                        "file"
                      ],
                      "additionalProperties": false,
                      "properties": {
                        "file": {
                          "type": "string"
                        }
                      }
                    },
                    {
                      "type": "object",
                      "required": [
                        "sops",
                        "key"
                      ],
                      "additionalProperties": false,
                      "properties": {
                        "sops": {
                          "type": "string"
                        },
                        "key": {
                          "anyOf": [
                            {
                              "type": "string",
                              "minLength": 1
                            },
                            {
                              "type": "array",
                              "minItems": 1,
                              "items": {
                                "type": [
                                  "string",
                                  "integer"
                                ]
                              }
                            }
                          ]
                        }
                      }
                    }
                  ]
                },
                {
                  "type": "array"
                }
              ]
            }
          },
          "request_transform": {
            "$ref": "#/$defs/TransformRequest"
          },
          "response_transform": {
            "$ref": "#/$defs/TransformRequest"
          },
          "request_transforms": {
            "$ref": "#/$defs/TransformListRequest"
          },
          "response_transforms": {
            "$ref": "#/$defs/TransformListRequest"
          },
          "configuration": {
            "type": "object",
            "additionalProperties": {
              "description": "Text, the value of an environment variable, the content of a file in the folder, or one value of a file that sops has encrypted.",
              "anyOf": [
                {
                  "type": [
                    "string",
                    "number",
                    "boolean",
                    "null"
                  ]
                },
                {
                  "type": "object",
                  "required": [
                    "env"
                  ],
                  "additionalProperties": false,
                  "properties": {
                    "env": {
                      "type": "string"
                    }
                  }
                },
                {
                  "type": "object",
                  "required": [
                    "file"
                  ],
                  "additionalProperties": false,
                  "properties": {
                    "file": {
                      "type": "string"
                    }
                  }
                },
                {
                  "type": "object",
                  "required": [
                    "sops",
                    "key"
                  ],
                  "additionalProperties": false,
                  "properties": {
                    "sops": {
                      "type": "string"
                    },
                    "key": {
                      "anyOf": [
                        {
                          "type": "string",
                          "minLength": 1
                        },
                        {
                          "type": "array",
                          "minItems": 1,
                          "items": {
                            "type": [
                              "string",
                              "integer"
                            ]
                          }
                        }
                      ]
                    }
                  }
                }
              ]
            }
          },
          "application": {
            "description": "The name of another resource, or its id.",
            "anyOf": [
              {
                "type": [
                  "string",
                  "null"
                ]
              },
              {
                "type": "object",
                "required": [
                  "id"
                ],
                "properties": {
                  "id": {
                    "type": "string"
                  }
                }
              }
            ]
          },
          "require_auth": {
            "description": "Whether an invocation needs an API key.",
            "type": [
              "boolean",
              "null"
            ],
            "default": true
          },
          "disable_detokenization": {
            "description": "If true, expressions in requests are literal text.",
            "type": [
              "boolean",
              "null"
            ],
            "default": false
          },
          "timeout": {
            "description": "Seconds until the destination's response must begin. The operator sets the default.",
            "type": [
              "integer",
              "null"
            ],
            "minimum": 1,
            "maximum": 30
          },
          "response_guard": {
            "$ref": "#/$defs/ResponseGuardChoice"
          },
          "allowed_destinations": {
            "description": "The hosts that the code of the transforms may reach; an empty list for none. Without it, the code reaches what the tenant's egress policy allows.",
            "anyOf": [
              {
                "$ref": "#/$defs/HostPatterns"
              },
              {
                "type": "null"
              }
            ]
          }
        }
      }
    },
    "reactors": {
      "type": "object",
      "propertyNames": {
        "minLength": 1,
        "maxLength": 200
      },
      "additionalProperties": {
        "type": "object",
        "additionalProperties": false,
        "required": [],
        "properties": {
          "configuration": {
            "type": "object",
            "additionalProperties": {
              "description": "Text, the value of an environment variable, the content of a file in the folder, or one value of a file that sops has encrypted.",
              "anyOf": [
                {
                  "type": [
                    "string",
                    "number",
                    "boolean",
                    "null"
                  ]
                },
                {
                  "type": "object",
                  "required": [
                    "env"
                  ],
                  "additionalProperties": false,
                  "properties": {
                    "env": {
                      "type": "string"
                    }
                  }
                },
                {
                  "type": "object",
                  "required": [
                    "file"
                  ],
                  "additionalProperties": false,
                  "properties": {
                    "file": {
                      "type": "string"
                    }
                  }
                },
                {
                  "type": "object",
                  "required": [
                    "sops",
                    "key"
                  ],
                  "additionalProperties": false,
                  "properties": {
                    "sops": {
                      "type": "string"
                    },
                    "key": {
                      "anyOf": [
                        {
                          "type": "string",
                          "minLength": 1
                        },
                        {
                          "type": "array",
                          "minItems": 1,
                          "items": {
                            "type": [
                              "string",
                              "integer"
                            ]
                          }
                        }
                      ]
                    }
                  }
                }
              ]
            }
          },
          "code": {
            "$ref": "#/$defs/OwnCode"
          },
          "application": {
            "description": "The name of another resource, or its id.",
            "anyOf": [
              {
                "type": [
                  "string",
                  "null"
                ]
              },
              {
                "type": "object",
                "required": [
                  "id"
                ],
                "properties": {
                  "id": {
                    "type": "string"
                  }
                }
              }
            ]
          },
          "response_guard": {
            "$ref": "#/$defs/ResponseGuardChoice"
          },
          "allowed_destinations": {
            "description": "The hosts that the code may reach; an empty list for none. Without it, the code reaches what the tenant's egress policy allows.",
            "anyOf": [
              {
                "$ref": "#/$defs/HostPatterns"
              },
              {
                "type": "null"
              }
            ]
          },
          "formula": {
            "description": "The name of another resource, or its id.",
            "anyOf": [
              {
                "type": [
                  "string",
                  "null"
                ]
              },
              {
                "type": "object",
                "required": [
                  "id"
                ],
                "properties": {
                  "id": {
                    "type": "string"
                  }
                }
              }
            ]
          }
        }
      }
    },
    "webhooks": {
      "type": "object",
      "propertyNames": {
        "minLength": 1,
        "maxLength": 200
      },
      "additionalProperties": {
        "type": "object",
        "additionalProperties": false,
        "required": [
          "url",
          "events"
        ],
        "properties": {
          "url": {
            "type": "string",
            "minLength": 1,
            "maxLength": 400,
            "description": "Follows the rules of a proxy's `destination_url`."
          },
          "events": {
            "type": "array",
            "minItems": 1,
            "maxItems": 50,
            "items": {
              "$ref": "#/$defs/WebhookEvent"
            }
          },
          "notify_email": {
            "type": [
              "string",
              "null"
            ],
            "maxLength": 254,
            "pattern": "^(?:[^\\s@]+@[^\\s@]+)?$",
            "description": "Stored. No mail is sent."
          },
          "status": {
            "type": [
              "string",
              "null"
            ],
            "enum": [
              "enabled",
              "disabled",
              null
            ],
            "default": "enabled"
          }
        }
      }
    },
    "egress_policy": {
      "type": "object",
      "additionalProperties": false,
      "required": [
        "mode"
      ],
      "properties": {
        "mode": {
          "type": "string",
          "enum": [
            "off",
            "report",
            "enforce"
          ]
        },
        "destinations": {
          "description": "None, where it is absent.",
          "anyOf": [
            {
              "$ref": "#/$defs/HostPatterns"
            },
            {
              "type": "null"
            }
          ]
        },
        "ephemeral": {
          "description": "Whether ephemeral proxies may be used.",
          "type": [
            "boolean",
            "null"
          ],
          "default": true
        }
      }
    }
  },
  "$defs": {
    "PermissionType": {
      "type": "string",
      "pattern": "^[a-z-]+(:[a-z-]+)+$",
      "maxLength": 100
    },
    "RuleRequest": {
      "description": "Applies to a container. For expiring applications and sessions it may instead apply to tokens that meet all conditions.",
      "type": "object",
      "required": [
        "priority",
        "transform",
        "permissions"
      ],
      "properties": {
        "description": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 400
        },
        "priority": {
          "type": "integer",
          "minimum": 1,
          "maximum": 2147483647,
          "description": "Unique among the rules. Of the matching rules, the one with the lowest number decides."
        },
        "container": {
          "anyOf": [
            {
              "$ref": "#/$defs/Container"
            },
            {
              "type": "null"
            }
          ]
        },
        "conditions": {
          "description": "Instead of a container.",
          "type": [
            "array",
            "null"
          ],
          "maxItems": 10,
          "items": {
            "$ref": "#/$defs/Condition"
          }
        },
        "transform": {
          "$ref": "#/$defs/View"
        },
        "permissions": {
          "type": "array",
          "minItems": 1,
          "maxItems": 50,
          "items": {
            "$ref": "#/$defs/PermissionType"
          }
        },
        "destinations": {
          "description": "Where the values of `token:use` may go; only with that permission. Without it, anywhere.",
          "type": [
            "array",
            "null"
          ],
          "minItems": 1,
          "maxItems": 50,
          "items": {
            "type": "string",
            "minLength": 1,
            "maxLength": 261
          }
        }
      }
    },
    "Container": {
      "description": "A path; it covers itself and everything below. Stored in lower case.",
      "type": "string",
      "minLength": 1,
      "maxLength": 400,
      "pattern": "^/(?:[A-Za-z0-9_-]+/)*$"
    },
    "Condition": {
      "type": "object",
      "required": [
        "attribute",
        "operator",
        "value"
      ],
      "properties": {
        "attribute": {
          "type": "string",
          "pattern": "^(?:[iI][dD]|[cC][oO][nN][tT][aA][iI][nN][eE][rR])$",
          "description": "`id` or `container`; case does not matter."
        },
        "operator": {
          "type": "string",
          "pattern": "^(?:[eE][qQ][uU][aA][lL][sS]|[sS][tT][aA][rR][tT][sS]_[wW][iI][tT][hH])$",
          "description": "`equals` or `starts_with`; case does not matter."
        },
        "value": {
          "type": "string",
          "minLength": 1,
          "maxLength": 400
        }
      }
    },
    "View": {
      "description": "How `data` of a token is shown. `mask` shows the evaluated mask, or nothing if the token has no mask.",
      "type": "string",
      "enum": [
        "redact",
        "mask",
        "reveal"
      ]
    },
    "ApplicationType": {
      "type": "string",
      "enum": [
        "private",
        "public",
        "management",
        "expiring"
      ]
    },
    "SourceCode": {
      "type": "string",
      "minLength": 1,
      "maxLength": 50000,
      "description": "A Node.js 16 module that exports a function of `req`. It is parsed before it is stored; a syntax error is a 400. It is also loaded once, without network; a failure then, or a missing function, is a warning."
    },
    "SettingDeclarationRequest": {
      "type": "object",
      "required": [
        "name",
        "type"
      ],
      "properties": {
        "name": {
          "type": "string",
          "minLength": 1,
          "maxLength": 200,
          "pattern": "^[A-Za-z0-9_-]*$"
        },
        "description": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 400
        },
        "type": {
          "$ref": "#/$defs/DeclaredType"
        }
      }
    },
    "DeclaredType": {
      "type": "string",
      "enum": [
        "string",
        "boolean",
        "number"
      ]
    },
    "ParameterDeclarationRequest": {
      "type": "object",
      "required": [
        "name",
        "type"
      ],
      "properties": {
        "name": {
          "type": "string",
          "minLength": 1,
          "maxLength": 200,
          "pattern": "^(?!.*\\.\\.)(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)?$",
          "description": "Dots lead into nested objects."
        },
        "description": {
          "type": [
            "string",
            "null"
          ],
          "maxLength": 400
        },
        "type": {
          "$ref": "#/$defs/DeclaredType"
        },
        "optional": {
          "type": [
            "boolean",
            "null"
          ],
          "default": false
        }
      }
    },
    "TransformRequest": {
      "description": "A step that changes a request or response. Without a type it is code; `{}` is no transform.",
      "type": [
        "object",
        "null"
      ],
      "properties": {
        "type": {
          "description": "By default `code`.",
          "type": [
            "string",
            "null"
          ],
          "enum": [
            "code",
            "mask",
            "tokenize",
            "append_json",
            "append_text",
            "append_header",
            null
          ]
        },
        "code": {
          "anyOf": [
            {
              "$ref": "#/$defs/SourceCode"
            },
            {
              "type": "null"
            }
          ]
        },
        "matcher": {
          "description": "Of `mask`: how it finds text. `chase_stratus_pan` finds 13 digits and more.",
          "type": "string",
          "enum": [
            "regex",
            "chase_stratus_pan"
          ]
        },
        "expression": {
          "description": "Of `mask` with `regex`: a JavaScript expression. In each match, every occurrence of a captured group is overwritten.",
          "type": "string",
          "minLength": 1,
          "maxLength": 1000
        },
        "replacement": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1
        },
        "options": {
          "type": [
            "object",
            "null"
          ],
          "properties": {
            "token": {
              "description": "Of `tokenize`: a request to create a token. The caller creates it.",
              "type": "object"
            },
            "identifier": {
              "description": "The name under which later expressions find the token; unique in its list.",
              "type": "string",
              "pattern": "^[A-Za-z0-9_.-]{1,100}$"
            },
            "value": {
              "description": "The value to append."
            },
            "location": {
              "description": "Of `append_json`: a JSONPath to one place. Of `append_header`: a header name.",
              "type": "string",
              "minLength": 1,
              "maxLength": 400
            }
          }
        }
      }
    },
    "TransformListRequest": {
      "description": "Run in this order. At most one is code. Not together with the single form. None is `{}`.",
      "type": [
        "array",
        "null"
      ],
      "maxItems": 10,
      "items": {
        "$ref": "#/$defs/TransformRequest"
      }
    },
    "ResponseGuardChoice": {
      "description": "Absent or null: the setting `response_guard` of the tenant, else `report`.",
      "anyOf": [
        {
          "$ref": "#/$defs/ResponseGuard"
        },
        {
          "type": "null"
        }
      ]
    },
    "ResponseGuard": {
      "description": "What happens to an answer that holds a value which this call has filled in: nothing is searched, it is\nreported, the value is overwritten with `*`, or the answer is refused with `response_leaks_value`.\n",
      "type": "string",
      "enum": [
        "off",
        "report",
        "mask",
        "refuse"
      ]
    },
    "HostPatterns": {
      "description": "Hosts such as `api.example.com` or, for all names below it, `*.example.com`; with a port if it is not 443.",
      "type": "array",
      "maxItems": 50,
      "items": {
        "type": "string",
        "maxLength": 261
      }
    },
    "OwnCode": {
      "description": "Instead of a formula.",
      "anyOf": [
        {
          "$ref": "#/$defs/SourceCode"
        },
        {
          "type": "null"
        }
      ]
    },
    "WebhookEvent": {
      "type": "string",
      "enum": [
        "application.created",
        "application.updated",
        "application.deleted",
        "application.key.created",
        "application.key.deleted",
        "application.use_limit",
        "egress.violation",
        "proxy.created",
        "proxy.updated",
        "proxy.deleted",
        "proxy.invoked",
        "proxy.response_leak",
        "reactor.created",
        "reactor.updated",
        "reactor.deleted",
        "reactor.invoked",
        "reactor.completed",
        "reactor.failed",
        "reactor.response_leak",
        "rollout.stopped",
        "session.created",
        "session.authorized",
        "tenant.updated",
        "tenant.invitation.created",
        "tenant.invitation.updated",
        "tenant.invitation.deleted",
        "token.created",
        "token.updated",
        "token.read",
        "token.revealed",
        "token.deleted",
        "token.expired",
        "token.property.expired"
      ]
    }
  },
  "x-members": {
    "applications": [
      "permissions",
      "rules",
      "can_create_expiring_applications",
      "limits",
      "type"
    ],
    "formulas": [
      "description",
      "icon",
      "code",
      "configuration",
      "request_parameters"
    ],
    "proxies": [
      "destination_url",
      "destination_tls",
      "request_transform",
      "response_transform",
      "request_transforms",
      "response_transforms",
      "configuration",
      "application",
      "require_auth",
      "disable_detokenization",
      "timeout",
      "response_guard",
      "allowed_destinations"
    ],
    "reactors": [
      "configuration",
      "code",
      "application",
      "response_guard",
      "allowed_destinations",
      "formula"
    ],
    "webhooks": [
      "url",
      "events",
      "notify_email",
      "status"
    ],
    "egress_policy": [
      "mode",
      "destinations",
      "ephemeral"
    ]
  }
};
