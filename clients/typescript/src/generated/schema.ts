// Generated from the OpenAPI document by scripts/generate.ts; not edited by hand.

export interface components {
    schemas: {
        VirtualMeeting: {
            /** @enum {string} */
            provider: "zoom" | "google_meet" | "teams" | "custom";
            url: string;
            password?: string;
        };
        /**
         * @example {
         *       "type": "email",
         *       "value": 30,
         *       "unit": "minutes"
         *     }
         */
        Reminder: {
            /** @constant */
            type: "email";
            value: number;
            /** @enum {string} */
            unit: "minutes" | "hours" | "days";
        };
        InviteeInput: {
            /**
             * Format: email
             * @example ann@quark.example
             */
            email: string;
            name?: string;
            /** @description Another name of `name`, as customers’ contacts have it. Where both are given, they are the same. */
            displayName?: string;
            /** @default false */
            isOptional?: boolean;
        };
        /**
         * @example {
         *       "type": "token_usage",
         *       "promptTokens": 812,
         *       "completionTokens": 164,
         *       "model": "sonnet",
         *       "operation": "reply",
         *       "eventId": "call-8127"
         *     }
         */
        UsageRecord: {
            /** @enum {string} */
            type: "token_usage" | "agent_execution";
            /** @description Your own id of the event; reporting the same one again counts once and answers with the first id. */
            eventId?: string;
            promptTokens?: number;
            completionTokens?: number;
            /** @description The sum of the other two, which it may stand in for. */
            totalTokens?: number;
            model?: string;
            provider?: string;
            usageType?: string;
            operation?: string;
            agentId?: string;
            conversationId?: string;
            taskId?: string;
            messageId?: string;
            /** @description How the execution stands: completed, failed, cancelled, escalated (or a usual synonym); anything else is under way. With a `taskId`, the latest execution says how the task stands. */
            status?: string;
            result?: {
                [key: string]: unknown;
            };
            /** @description `minutesSaved` (here or in `result`) says how much work a completed execution has spared; 15 without it. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        Identity: {
            /** Format: uuid */
            id: string;
            handle: string;
            address: string | null;
            /** @enum {string} */
            scope: "identity" | "business";
            displayName: string | null;
            profile: {
                tagline?: string;
                about?: string;
                website?: string;
                services?: {
                    /** Format: uuid */
                    id: string;
                    name: string;
                    description?: string;
                    price: number;
                    currency: string;
                    /** @enum {string} */
                    billingInterval: "one-time" | "monthly" | "yearly";
                    active: boolean;
                }[];
            } | null;
            whitelistedAddresses: {
                handle: string;
                address: string;
                description: string | null;
                /**
                 * @description Mail goes to and from `proven` addresses only.
                 * @enum {string}
                 */
                status: "pending" | "proven" | "contested" | "refused";
            }[] | null;
            /** @description The address to reply from; only where `conversationId` or `messageId` was given and the conversation came in through a whitelisted address that is proven. */
            contextualFromAddress?: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            updatedAt: string | null;
        };
        /**
         * @example {
         *       "id": "0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50",
         *       "identityId": "0199f3b2-5d0a-7c11-8b7e-aa55cc33dd11",
         *       "company": "Quark Labs",
         *       "phone": "+49 40 5550 1234",
         *       "tags": [
         *         "vip",
         *         "eu"
         *       ],
         *       "notes": "Prefers calls in the morning.",
         *       "metadata": {
         *         "crmId": "Q-118"
         *       },
         *       "contacts": [
         *         {
         *           "guid": "7d3cbb4c-6c54-5d0b-9d6f-5f0f4a3b2c1d",
         *           "email": "ann@quark.example",
         *           "displayName": "Ann Quark",
         *           "isPrimary": true
         *         }
         *       ],
         *       "createdAt": "2026-11-02T09:30:00.000Z",
         *       "updatedAt": "2026-11-20T16:05:12.345Z"
         *     }
         */
        Customer: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            identityId: string;
            company: string;
            phone: string;
            tags: string[];
            notes: string;
            metadata: {
                [key: string]: unknown;
            };
            contacts: components["schemas"]["CustomerContact"][];
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        CustomerContact: {
            /**
             * Format: uuid
             * @description UUIDv5 of the e-mail address; the same address always has the same guid.
             */
            guid: string;
            email: string;
            displayName: string;
            isPrimary: boolean;
        };
        Agent: {
            /** Format: uuid */
            id: string;
            name: string;
            kind: string;
            /** @description The local part of its e-mail address; unique within the identity. */
            roleId: string;
            email: string;
            /** @enum {string} */
            status: "active" | "paused" | "archived";
            avatarUrl: string;
            /** @description Stands in for a picture; empty where the persona has none. */
            avatarEmoji: string;
            activeTasks: number;
            lastActiveAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            updatedAt: string | null;
        };
        AgentDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            kind: string;
            /** @description The local part of its e-mail address; unique within the identity. */
            roleId: string;
            email: string;
            /** @enum {string} */
            status: "active" | "paused" | "archived";
            avatarUrl: string;
            tags: string[];
            config: {
                persona: components["schemas"]["AgentPersona"];
                tools: {
                    email: {
                        enabled: boolean;
                    };
                    calendar: {
                        enabled: boolean;
                    };
                };
                context: {
                    enabled: boolean;
                    namespace: string;
                };
                workflow: {
                    triggers: string[];
                    /** @enum {string} */
                    mode: "auto" | "draft" | "observe";
                };
                model: {
                    provider: string;
                    name: string;
                    temperature: number;
                    maxTokens: number;
                };
                hitl: {
                    /** @description True where routes are configured. */
                    enabled: boolean;
                    routes: components["schemas"]["HitlRoute"][];
                };
            };
            stats: {
                activeTasks: number;
                completedTasks: number;
                /** @description 15 minutes for each completed task, unless its execution says `minutesSaved`. */
                hoursSaved: number;
                /** @description Completed of all that ended, 0 to 1; 0 where none has ended. */
                completionRate: number;
                escalations: number;
                /** @description Tracked executions. */
                totalActions: number;
                lastActiveAt: string | null;
            };
            editableFields: string[];
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            updatedAt: string | null;
        };
        AgentPersona: {
            tone?: string;
            traits?: string[];
            bio?: string;
            signature?: string;
            avatarUrl?: string;
            avatarEmoji?: string;
        };
        HitlRoute: {
            level: number;
            label?: string;
            instructions?: string;
            timeoutMins: number;
            toRole: string | null;
            toUserId: string | null;
            channels: ("email" | "sms" | "slack" | "in_app")[];
            contactInfo: {
                email: string | null;
                phone: string | null;
                slack: string | null;
            };
        };
        HitlConfiguration: {
            /** Format: uuid */
            agentId: string;
            /** Format: uuid */
            identityId: string;
            /** @description Reached where there are no routes, or a route has no e-mail of its own. */
            ownerEmail: string;
            routes: components["schemas"]["HitlRoute"][];
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        Conversation: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            identityId: string;
            subject: string;
            /** @example email */
            channel: string;
            /** @description The start of the newest message, in one line. */
            preview: string;
            /** @enum {string} */
            status: "pending" | "processing" | "waiting_human" | "waiting_customer" | "completed" | "failed";
            isRead: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            lastMessageAt: string;
            /** @description Whom it is with: who wrote last, of those outside. */
            counterpart: components["schemas"]["MailAddress"];
            messageCount: number;
            isArchived: boolean;
            isSpam: boolean;
        };
        MailAddress: {
            email: string;
            displayName: string | null;
        };
        ConversationDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            identityId: string;
            subject: string;
            /** @example email */
            channel: string;
            /** @description The start of the newest message, in one line. */
            preview: string;
            /** @enum {string} */
            status: "pending" | "processing" | "waiting_human" | "waiting_customer" | "completed" | "failed";
            isRead: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            lastMessageAt: string;
            /** @description Whom it is with: who wrote last, of those outside. */
            counterpart: components["schemas"]["MailAddress"];
            messageCount: number;
            isArchived: boolean;
            isSpam: boolean;
            participants: {
                email: string;
                displayName: string | null;
                /**
                 * @description The strongest this address has in the conversation.
                 * @enum {string}
                 */
                role: "from" | "to" | "cc" | "bcc";
                /** Format: uuid */
                contactGuid: string;
                /** @description The customer that has this contact. */
                customerId: string | null;
                /** @description True for the identity’s own addresses and its agents’. */
                isSelf: boolean;
            }[];
            assignedAgents: {
                /** Format: uuid */
                id: string;
                name: string;
                roleId: string;
                avatarUrl: string;
                avatarEmoji: string;
                /** @enum {string} */
                status: "active" | "paused" | "archived";
            }[];
            /** @description Tasks that agents reported on this conversation (`taskId` of tracked executions). */
            linkedTasks: {
                id: string;
                title: string;
                status: string;
                agentId: string | null;
                dueAt: string | null;
            }[];
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        Message: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            conversationId: string;
            /** Format: uuid */
            identityId: string;
            /** @enum {string} */
            direction: "inbound" | "outbound";
            channel: string;
            /**
             * @description `received` for inbound mail; an outbound message is `queued`, then `sent` or `failed`.
             * @enum {string}
             */
            status: "received" | "queued" | "sent" | "failed";
            from: components["schemas"]["MailAddress"];
            to: components["schemas"]["MailAddress"][];
            cc: components["schemas"]["MailAddress"][];
            bcc: components["schemas"]["MailAddress"][];
            subject: string;
            text: string;
            /** @description As it came: not safe to show without sanitising. */
            html: string | null;
            preview: string;
            /** @example <0199f3b2-6c1e-7a40@harborlane.example> */
            messageIdHeader: string;
            inReplyTo: string | null;
            references: string[];
            agentId: string | null;
            isRead: boolean;
            /** @description True for automatic and bulk mail (RFC 3834), which is never answered by itself. */
            isAutoReply: boolean;
            attachmentCount: number;
            /** @description Empty unless `includeAttachments=true`. */
            attachments: components["schemas"]["Attachment"][];
            sentAt: string | null;
            receivedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
        };
        Attachment: {
            /** Format: uuid */
            id: string;
            filename: string;
            contentType: string;
            /** @description In bytes. */
            size: number;
            contentId: string | null;
            /** @description True where the HTML shows it. */
            isInline: boolean;
            sha256: string;
            /** @description Needs the key, as any operation does. */
            downloadUrl: string;
        };
        BlogPostItem: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @description The last part of the public address; unique within the identity. */
            slug: string;
            excerpt: string;
            coverImageUrl: string;
            authorName: string;
            authorAvatarUrl: string;
            authorAgentId: string | null;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            /** @description Null while a draft. An archived post keeps the time it was published. */
            publishedAt: string | null;
            tags: string[];
            metaDescription: string;
            /** @description Where readers find it; null unless it is published. */
            url: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-11-21T09:30:00.000Z
             */
            editedAt: string;
        };
        /**
         * @example {
         *       "id": "0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50",
         *       "title": "Wet brakes, and what to do about them",
         *       "slug": "wet-brakes-and-what-to-do-about-them",
         *       "excerpt": "Rim brakes lose half of their bite in the rain.",
         *       "coverImageUrl": "",
         *       "authorName": "Mara Lindqvist",
         *       "authorAvatarUrl": "",
         *       "authorAgentId": null,
         *       "status": "published",
         *       "publishedAt": "2026-11-02T09:30:00.000Z",
         *       "tags": [
         *         "brakes",
         *         "winter"
         *       ],
         *       "metaDescription": "How to keep rim brakes working in the rain.",
         *       "content": "## Clean the rims first\n\nA cloth and *isopropyl alcohol* will do.",
         *       "url": "https://desk.example.com/blog/harbor-lane/wet-brakes-and-what-to-do-about-them",
         *       "revision": 3,
         *       "createdAt": "2026-11-01T16:02:11.000Z",
         *       "updatedAt": "2026-11-02T09:30:00.000Z"
         *     }
         */
        BlogPost: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @description The last part of the public address; unique within the identity. */
            slug: string;
            excerpt: string;
            coverImageUrl: string;
            authorName: string;
            authorAvatarUrl: string;
            authorAgentId: string | null;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            /** @description Null while a draft. An archived post keeps the time it was published. */
            publishedAt: string | null;
            tags: string[];
            metaDescription: string;
            /** @description Markdown (GitHub flavour). */
            content: string;
            /** @description Where readers find it; null unless it is published. */
            url: string | null;
            /** @description Rises with every change; see `ifRevision`. */
            revision: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        BlogImage: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uri
             * @description For `coverImageUrl`, and for pictures in the text of a post.
             */
            url: string;
            /** @description In pixels, like `height`. */
            width: number;
            height: number;
        };
        BlogSettings: {
            language: string;
            /** Format: uri */
            siteUrl: string;
        };
        CalendarEventItem: {
            /** Format: uuid */
            id: string;
            title: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            startTime: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            endTime: string;
            timezone: string;
            allDay: boolean;
            /** @enum {string} */
            color: "blue" | "green" | "red" | "purple" | "orange";
            /** @enum {string} */
            status: "confirmed" | "tentative" | "cancelled";
            /** @enum {string} */
            recurrence: "none" | "daily" | "weekly" | "biweekly" | "monthly" | "yearly";
            location: string;
            agent: {
                /** Format: uuid */
                id: string;
                name: string;
                avatarUrl: string;
            } | null;
            /** @description Empty unless `includeInvitees` is true. */
            invitees: components["schemas"]["Invitee"][];
            inviteeCount: number;
            /**
             * Format: date-time
             * @description With `expand=true`: when this occurrence starts. `startTime` and `endTime` are then its own.
             * @example 2026-11-21T09:30:00.000Z
             */
            occurrenceStart?: string;
        };
        Invitee: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            /** @enum {string} */
            responseStatus: "needs_action" | "accepted" | "declined" | "tentative";
            /** @description True for the identity’s own address. */
            isOrganizer: boolean;
            isOptional: boolean;
            /** @description When they were first mailed an invitation. */
            invitedAt: string | null;
            answeredAt: string | null;
            /** @description How the answer came: by a calendar’s mail, the personal link, or this API. */
            answeredBy: ("mail" | "link" | "api") | null;
            /** @description False for an answer by mail that was not sent from the invitee’s own domain, so that somebody else may have written it; null before the first answer, and for mail of earlier versions. */
            answerVerified: boolean | null;
        };
        CalendarEvent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            identityId: string;
            title: string;
            description: string;
            /**
             * Format: date-time
             * @description Of a series, the first occurrence.
             * @example 2026-11-21T09:30:00.000Z
             */
            startTime: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            endTime: string;
            timezone: string;
            allDay: boolean;
            location: string;
            virtualMeeting: components["schemas"]["VirtualMeetingOutput"] | null;
            /** @enum {string} */
            color: "blue" | "green" | "red" | "purple" | "orange";
            /** @enum {string} */
            recurrence: "none" | "daily" | "weekly" | "biweekly" | "monthly" | "yearly";
            /** @description Inclusive. Exactly 00:00 UTC stands for that date as a whole, in the event’s time zone. */
            recurrenceEndDate: string | null;
            /** @enum {string} */
            status: "confirmed" | "tentative" | "cancelled";
            sendEmailReminders: boolean;
            agentId: string | null;
            reminders: components["schemas"]["ReminderOutput"][];
            invitees: components["schemas"]["Invitee"][];
            agent: {
                /** Format: uuid */
                id: string;
                name: string;
                avatarUrl: string;
            } | null;
            /** @description Rises with every change of the event itself; see `ifRevision`. */
            revision: number;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            updatedAt: string;
        };
        AvailabilityConflict: {
            /** Format: uuid */
            id: string;
            title: string;
            /**
             * Format: date-time
             * @description Of the occurrence.
             * @example 2026-11-21T09:30:00.000Z
             */
            startTime: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:30:00.000Z
             */
            endTime: string;
            /** @description Whole days: the dates of `startTime` and `endTime` in `timezone`. */
            allDay: boolean;
            /** @description IANA zone of the event. */
            timezone: string;
        };
        /**
         * @example {
         *       "tokenUsage": {
         *         "current": 1234,
         *         "limit": 100000,
         *         "percentage": 1.2,
         *         "formatted": "1,234 / 100,000"
         *       },
         *       "executions": {
         *         "current": 7,
         *         "limit": 100,
         *         "percentage": 7,
         *         "formatted": "7 / 100"
         *       },
         *       "plan": "Free",
         *       "period": {
         *         "start": "2026-11-01T00:00:00.000Z",
         *         "end": "2026-12-01T00:00:00.000Z"
         *       }
         *     }
         */
        UsageStatistics: {
            tokenUsage: {
                current: number;
                /** @description -1 is unlimited. */
                limit: number;
                /** @description Of the limit, with one decimal; over 100 where it is exceeded. */
                percentage: number;
                formatted: string;
            };
            executions: {
                current: number;
                /** @description -1 is unlimited. */
                limit: number;
                /** @description Of the limit, with one decimal; over 100 where it is exceeded. */
                percentage: number;
                formatted: string;
            };
            plan: string;
            /** @description The UTC month; `end` is not part of it. */
            period: {
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                start: string;
                /**
                 * Format: date-time
                 * @example 2026-11-21T09:30:00.000Z
                 */
                end: string;
            };
        };
        VirtualMeetingOutput: {
            /** @enum {string} */
            provider: "zoom" | "google_meet" | "teams" | "custom";
            url: string;
            password?: string;
        };
        /**
         * @example {
         *       "type": "email",
         *       "value": 30,
         *       "unit": "minutes"
         *     }
         */
        ReminderOutput: {
            /** @constant */
            type: "email";
            value: number;
            /** @enum {string} */
            unit: "minutes" | "hours" | "days";
        };
        Error: {
            /** @description What kind of error, in words that do not change. */
            error: string;
            /** @description What happened, for people. */
            message?: string;
            /**
             * @description What happened, for programs.
             * @enum {string}
             */
            code: "invalid_request" | "invalid_body" | "last_contact" | "missing_key" | "invalid_key" | "expired_key" | "revoked_key" | "identity_override" | "fresh_sign_in_required" | "not_found" | "identity_not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "contact_conflict" | "slug_taken" | "edited_elsewhere" | "idempotency_running" | "idempotency_answer_lost" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limit_exceeded" | "quota_exceeded" | "internal_error" | "unavailable";
            requestId: string;
            /** @description More, by code. */
            details?: {
                /** @description Reasons by dotted path. */
                fields?: {
                    [key: string]: string;
                };
            } & {
                [key: string]: unknown;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    "identity-get": {
        parameters: {
            query?: {
                messageId?: string;
                conversationId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
        };
    };
    "identity-update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    displayName?: string | null;
                    profile?: {
                        tagline?: string | null;
                        about?: string | null;
                        website?: string | null;
                        services?: {
                            /** Format: uuid */
                            id?: string;
                            name?: string;
                            description?: string | null;
                            /**
                             * @description Amount in the currency’s main unit.
                             * @example 49.5
                             */
                            price?: number;
                            /** @example EUR */
                            currency?: string;
                            /** @enum {string} */
                            billingInterval?: "one-time" | "monthly" | "yearly";
                            active?: boolean;
                        }[] | null;
                    } | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
        };
    };
    "customers-list": {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                tag?: string;
                query?: string;
                q?: string;
                search?: string;
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        customers: components["schemas"]["Customer"][];
                        /** @description How many this page has. */
                        count: number;
                        /** @description How many match. With a filter, counting stops at 1,000: see `totalIsExact`. */
                        total: number;
                        /** @description False where more than `total` match. */
                        totalIsExact: boolean;
                        hasMore: boolean;
                    };
                };
            };
        };
    };
    "customers-create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    contacts: {
                        /**
                         * Format: email
                         * @example ann@quark.example
                         */
                        email?: string;
                        /** Format: uuid */
                        guid?: string;
                        displayName?: string;
                    }[];
                    /**
                     * @default
                     * @example Quark Labs
                     */
                    company?: string;
                    /**
                     * @default
                     * @example +49 40 5550 1234
                     */
                    phone?: string;
                    /**
                     * @default []
                     * @example [
                     *       "vip",
                     *       "eu"
                     *     ]
                     */
                    tags?: string[];
                    /** @default  */
                    notes?: string;
                    /**
                     * @description Free-form JSON object.
                     * @default {}
                     * @example {
                     *       "crmId": "Q-118"
                     *     }
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "customers-byContact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                guid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "customers-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "customers-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    "customers-update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example Quark Labs */
                    company?: string;
                    /** @example +49 40 5550 1234 */
                    phone?: string;
                    /**
                     * @example [
                     *       "vip",
                     *       "eu"
                     *     ]
                     */
                    tags?: string[];
                    notes?: string;
                    /**
                     * @description Free-form JSON object.
                     * @example {
                     *       "crmId": "Q-118"
                     *     }
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "customers-addContact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @example ann@quark.example
                     */
                    email?: string;
                    /** Format: uuid */
                    guid?: string;
                    displayName?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "customers-removeContact": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                guid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
        };
    };
    "agents-list": {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                query?: string;
                q?: string;
                status?: "active" | "paused" | "archived";
                kind?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: components["schemas"]["Agent"][];
                        /** @description How many this page has. */
                        count: number;
                        /** @description How many match. */
                        total: number;
                        pagination: {
                            limit: number;
                            offset: number;
                            hasMore: boolean;
                        };
                        /** @description The filters that were applied. */
                        filters: {
                            query?: string;
                            /** @enum {string} */
                            status?: "active" | "paused" | "archived";
                            kind?: string;
                        };
                    };
                };
            };
        };
    };
    "agents-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
        };
    };
    "agents-update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @enum {string} */
                    status?: "active" | "paused" | "archived";
                    avatarUrl?: "" | string;
                    tags?: string[];
                    /** @description Merged key by key; null removes a key. */
                    persona?: {
                        tone?: string | null;
                        traits?: string[] | null;
                        bio?: string | null;
                        signature?: string | null;
                        avatarUrl?: string | null;
                        avatarEmoji?: string | null;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetail"];
                };
            };
        };
    };
    "agents-hitl": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HitlConfiguration"];
                };
            };
        };
    };
    "agents-updateHitl": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Replaces all routes; [] clears them, left out changes nothing. */
                    routes?: {
                        level: number;
                        label?: string;
                        instructions?: string;
                        /** @default 60 */
                        timeoutMins?: number;
                        /** @default null */
                        toRole?: string | null;
                        /** @default null */
                        toUserId?: string | null;
                        /**
                         * @default [
                         *       "email"
                         *     ]
                         */
                        channels?: ("email" | "sms" | "slack" | "in_app")[];
                        /**
                         * @default {
                         *       "email": null,
                         *       "phone": null,
                         *       "slack": null
                         *     }
                         */
                        contactInfo?: {
                            /** @default null */
                            email?: string | null;
                            /** @default null */
                            phone?: string | null;
                            /** @default null */
                            slack?: string | null;
                        };
                    }[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HitlConfiguration"];
                };
            };
        };
    };
    "conversations-list": {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "pending" | "processing" | "waiting_human" | "waiting_customer" | "completed" | "failed";
                channel?: string;
                agentId?: string;
                isRead?: boolean;
                isArchived?: boolean;
                isSpam?: boolean;
                folder?: "inbox" | "archived" | "spam";
                lastMessageAfter?: string;
                search?: string;
                query?: string;
                participant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        conversations: components["schemas"]["Conversation"][];
                        total: number;
                        /** @description False where more than `total` match a search, agent, participant or date. */
                        totalIsExact: boolean;
                        limit: number;
                        offset: number;
                        hasMore: boolean;
                    };
                };
            };
        };
    };
    "conversations-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationDetail"];
                };
            };
        };
    };
    "conversations-update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isRead?: boolean;
                    isArchived?: boolean;
                    isSpam?: boolean;
                    /** @enum {string} */
                    status?: "pending" | "processing" | "waiting_human" | "waiting_customer" | "completed" | "failed";
                    /**
                     * Format: date-time
                     * @description With `isRead: true`: what came in later stays unread.
                     */
                    seenUntil?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationDetail"];
                };
            };
        };
    };
    "conversations-messages": {
        parameters: {
            query?: {
                direction?: "inbound" | "outbound";
                order?: "asc" | "desc";
                limit?: number;
                offset?: number;
                includeAttachments?: boolean;
            };
            header?: never;
            path: {
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        messages: components["schemas"]["Message"][];
                        total: number;
                        limit: number;
                        offset: number;
                        /** @description True where more follow. A page of very long messages ends before `limit`: go on at `offset` plus what you got. */
                        hasMore: boolean;
                    };
                };
            };
        };
    };
    "conversations-reply": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The message in plain text. */
                    text: string;
                    /** @description The same as HTML; made from the text where left out. */
                    html?: string | null;
                    /** @description Left out together with `cc`, the reply goes to all of the last message that came in. */
                    to?: (string | {
                        /**
                         * Format: email
                         * @example ann@quark.example
                         */
                        email: string;
                        displayName?: string | null;
                    })[];
                    cc?: (string | {
                        /**
                         * Format: email
                         * @example ann@quark.example
                         */
                        email: string;
                        displayName?: string | null;
                    })[];
                    /**
                     * Format: email
                     * @description One of the identity’s own addresses; the one they wrote to unless given.
                     * @example ann@quark.example
                     */
                    from?: string;
                    /** @description Signs the message with this agent’s signature. */
                    agentId?: string | null;
                    /**
                     * Format: date-time
                     * @description What came in later stays unread.
                     */
                    seenUntil?: string;
                    /**
                     * @description Puts the message that is answered below.
                     * @default false
                     */
                    quote?: boolean;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
        };
    };
    "conversations-attachment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    "conversations-thread": {
        parameters: {
            query?: {
                conversationId?: string;
                messageId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        thread: {
                            /** Format: uuid */
                            id: string;
                            subject: string;
                            participants: {
                                email: string;
                                displayName: string | null;
                                /**
                                 * @description The strongest this address has in the conversation.
                                 * @enum {string}
                                 */
                                role: "from" | "to" | "cc" | "bcc";
                                /** Format: uuid */
                                contactGuid: string;
                                /** @description The customer that has this contact. */
                                customerId: string | null;
                                /** @description True for the identity’s own addresses and its agents’. */
                                isSelf: boolean;
                            }[];
                            messages: components["schemas"]["Message"][];
                            /**
                             * Format: date-time
                             * @example 2026-11-21T09:30:00.000Z
                             */
                            lastMessageAt: string;
                        };
                    };
                };
            };
        };
    };
    "blog-list": {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "draft" | "published" | "archived";
                tag?: string;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            posts: components["schemas"]["BlogPostItem"][];
                            /** @description How many match. With `tag` or `search`, counting stops at 1,000: see `totalIsExact`. */
                            total: number;
                            /** @description False where more than `total` match. */
                            totalIsExact: boolean;
                            limit: number;
                            offset: number;
                            hasMore: boolean;
                        };
                    };
                };
            };
        };
    };
    "blog-create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    /** @description Markdown (GitHub flavour), at most 5 MiB. */
                    content: string;
                    authorName: string;
                    /**
                     * @description Generated from the title when omitted.
                     * @example wet-brakes
                     */
                    slug?: string;
                    /** @default  */
                    excerpt?: string;
                    /** @default  */
                    coverImageUrl?: "" | string;
                    /** @default  */
                    authorAvatarUrl?: "" | string;
                    /**
                     * @description An agent of this identity.
                     * @default null
                     */
                    authorAgentId?: string | null;
                    /**
                     * @default []
                     * @example [
                     *       "brakes",
                     *       "winter"
                     *     ]
                     */
                    tags?: string[];
                    /**
                     * @description For search engines.
                     * @default
                     */
                    metaDescription?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            post: components["schemas"]["BlogPost"];
                        };
                    };
                };
            };
        };
    };
    "blog-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            post: components["schemas"]["BlogPost"];
                        };
                    };
                };
            };
        };
    };
    "blog-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    "blog-update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    /** @description Markdown (GitHub flavour), at most 5 MiB. */
                    content?: string;
                    authorName?: string;
                    /**
                     * @description Generated from the title when omitted.
                     * @example wet-brakes
                     */
                    slug?: string;
                    excerpt?: string;
                    coverImageUrl?: "" | string;
                    authorAvatarUrl?: "" | string;
                    /** @description An agent of this identity. */
                    authorAgentId?: string | null;
                    /**
                     * @example [
                     *       "brakes",
                     *       "winter"
                     *     ]
                     */
                    tags?: string[];
                    /** @description For search engines. */
                    metaDescription?: string;
                    /** @description Change the post only if it still has this `revision`; otherwise nothing changes and the answer is 409. */
                    ifRevision?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            post: components["schemas"]["BlogPost"];
                        };
                    };
                };
            };
        };
    };
    "blog-publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            post: components["schemas"]["BlogPost"];
                        };
                    };
                };
            };
        };
    };
    "blog-unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            post: components["schemas"]["BlogPost"];
                        };
                    };
                };
            };
        };
    };
    "blog-archive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            post: components["schemas"]["BlogPost"];
                        };
                    };
                };
            };
        };
    };
    "blog-uploadImage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The file's bytes in base64: JPEG, PNG, WebP, GIF or AVIF, at most 10 MiB. */
                    content: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            image: components["schemas"]["BlogImage"];
                        };
                    };
                };
            };
        };
    };
    "blog-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            settings: components["schemas"]["BlogSettings"];
                        };
                    };
                };
            };
        };
    };
    "blog-updateSettings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What posts are written in, as a BCP 47 tag. */
                    language?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            settings: components["schemas"]["BlogSettings"];
                        };
                    };
                };
            };
        };
    };
    "calendar-list": {
        parameters: {
            query?: {
                startDate?: string;
                endDate?: string;
                agentId?: string;
                includeInvitees?: boolean;
                expand?: boolean;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description By `startTime`. */
                        events: components["schemas"]["CalendarEventItem"][];
                        /** @description How many are in `events`. */
                        count: number;
                        /** @description True where `limit` left some out. */
                        hasMore: boolean;
                    };
                };
            };
        };
    };
    "calendar-create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    /** @default  */
                    description?: string;
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset.
                     */
                    startTime: string;
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset; after `startTime`.
                     */
                    endTime: string;
                    /**
                     * @description IANA time zone. A series keeps its wall-clock time in it.
                     * @default UTC
                     * @example Europe/Berlin
                     */
                    timezone?: string;
                    /**
                     * @description Whole days: the dates of `timezone` that `startTime` to `endTime` touch.
                     * @default false
                     */
                    allDay?: boolean;
                    /** @default  */
                    location?: string;
                    /** @default null */
                    virtualMeeting?: components["schemas"]["VirtualMeeting"] | null;
                    /**
                     * @default blue
                     * @enum {string}
                     */
                    color?: "blue" | "green" | "red" | "purple" | "orange";
                    /**
                     * @default none
                     * @enum {string}
                     */
                    recurrence?: "none" | "daily" | "weekly" | "biweekly" | "monthly" | "yearly";
                    /** @description Inclusive; a date, or 00:00 UTC, stands for that whole date in the event’s time zone. */
                    recurrenceEndDate?: (string) | null;
                    /**
                     * @description The agent in whose name invitations are written.
                     * @default null
                     */
                    agentId?: string | null;
                    /**
                     * @description False: invitees get neither invitations nor reminders, unless `notifyAttendeesOfChanges` is true.
                     * @default true
                     */
                    sendEmailReminders?: boolean;
                    /** @default [] */
                    reminders?: components["schemas"]["Reminder"][];
                    invitees?: components["schemas"]["InviteeInput"][];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        event: components["schemas"]["CalendarEvent"];
                    };
                };
            };
        };
    };
    "calendar-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        event: components["schemas"]["CalendarEvent"];
                    };
                };
            };
        };
    };
    "calendar-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    "calendar-update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title?: string;
                    description?: string;
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset.
                     */
                    startTime?: string;
                    /**
                     * Format: date-time
                     * @description ISO 8601 with an offset; after `startTime`.
                     */
                    endTime?: string;
                    /**
                     * @description IANA time zone. A series keeps its wall-clock time in it.
                     * @example Europe/Berlin
                     */
                    timezone?: string;
                    /** @description Whole days: the dates of `timezone` that `startTime` to `endTime` touch. */
                    allDay?: boolean;
                    location?: string;
                    virtualMeeting?: components["schemas"]["VirtualMeeting"] | null;
                    /** @enum {string} */
                    color?: "blue" | "green" | "red" | "purple" | "orange";
                    /** @enum {string} */
                    recurrence?: "none" | "daily" | "weekly" | "biweekly" | "monthly" | "yearly";
                    /** @description Inclusive; a date, or 00:00 UTC, stands for that whole date in the event’s time zone. */
                    recurrenceEndDate?: (string) | null;
                    /** @description The agent in whose name invitations are written. */
                    agentId?: string | null;
                    /** @description False: invitees get neither invitations nor reminders, unless `notifyAttendeesOfChanges` is true. */
                    sendEmailReminders?: boolean;
                    reminders?: components["schemas"]["Reminder"][];
                    invitees?: components["schemas"]["InviteeInput"][];
                    /** @enum {string} */
                    status?: "confirmed" | "tentative" | "cancelled";
                    /** @description True: all invitees are mailed the change, and those removed a cancellation. Otherwise only new invitees are mailed. */
                    notifyAttendeesOfChanges?: boolean;
                    /** @description Change it only if it still is at this `revision`; else 409 `edited_elsewhere`. */
                    ifRevision?: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        event: components["schemas"]["CalendarEvent"];
                    };
                };
            };
        };
    };
    "calendar-rsvp": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    response: "accepted" | "declined" | "tentative";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
        };
    };
    "calendar-availability": {
        parameters: {
            query: {
                startTime: string;
                endTime: string;
                excludeEventId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        available: boolean;
                        /** @description By start; each occurrence by itself. */
                        conflicts: components["schemas"]["AvailabilityConflict"][];
                        /** @description True where there are more than 2500. */
                        hasMore: boolean;
                    };
                };
            };
        };
    };
    "usage-track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "token_usage" | "agent_execution";
                    /** @description Your own id of the event; reporting the same one again counts once and answers with the first id. */
                    eventId?: string;
                    promptTokens?: number;
                    completionTokens?: number;
                    /** @description The sum of the other two, which it may stand in for. */
                    totalTokens?: number;
                    model?: string;
                    provider?: string;
                    usageType?: string;
                    operation?: string;
                    agentId?: string;
                    conversationId?: string;
                    taskId?: string;
                    messageId?: string;
                    /** @description How the execution stands: completed, failed, cancelled, escalated (or a usual synonym); anything else is under way. With a `taskId`, the latest execution says how the task stands. */
                    status?: string;
                    result?: {
                        [key: string]: unknown;
                    };
                    /** @description `minutesSaved` (here or in `result`) says how much work a completed execution has spared; 15 without it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** Format: uuid */
                        id: string;
                        /**
                         * Format: date-time
                         * @example 2026-11-21T09:30:00.000Z
                         */
                        createdAt: string;
                    };
                };
            };
        };
    };
    "usage-trackBatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Each is judged by itself: a bad one is reported in `results` and does not keep the others out. */
                    records: (unknown | components["schemas"]["UsageRecord"])[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description True where every record was taken. */
                        success: boolean;
                        results: {
                            index: number;
                            /** Format: uuid */
                            id?: string;
                            error?: string;
                        }[];
                    };
                };
            };
        };
    };
    "usage-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageStatistics"];
                };
            };
        };
    };
}
